#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/json/json_reader.h"

namespace magneto::server::formats {

enum class Format : std::uint8_t {
  kTypedJson,  // a line {"a":{"S":"x"}} or {"Item":{...}} for each item; can carry everything
  kPlainJson,  // a line {"a":"x"}, see plain_json.h
  kCsv,        // see csv.h
  kAws,        // a folder, see aws_export.h; its lines are as kTypedJson
};

// A longer line is no item: DynamoDB takes 400 KB, which JSON's escapes can make six times as long.
inline constexpr std::size_t kMaxRecordBytes = 8 << 20;

// Replaces `item` with the item of a line in the typed form: the line as it is, or what is under its
// only member "Item". `document` is left with it, and `parsed` is the item. Why it is none; nullopt
// when it is.
std::optional<std::string_view> read_typed_item(std::string_view line, std::string& item,
                                                api::json::Document& document,
                                                api::json::Value& parsed);

}  // namespace magneto::server::formats
