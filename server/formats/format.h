#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/json/json_reader.h"

namespace magneto::server::formats {

enum class Format : std::uint8_t {
  kTypedJson,  // a line {"a":{"S":"x"}} or {"Item":{...}} for each item; holds every value
  kPlainJson,  // a line {"a":"x"}, see plain_json.h
  kCsv,        // see csv.h
  kAws,        // a folder, see aws_export.h; its lines are like kTypedJson
};

// A longer line cannot be an item: DynamoDB accepts 400 KB, which the escapes of JSON can make six
// times as long.
inline constexpr std::size_t kMaxRecordBytes = 8 << 20;

// Replaces `item` with the item of a line in the typed form: the line itself, or the value of its
// only member "Item". `parsed` is the parsed item, and `document` keeps it. Returns nullopt on
// success, otherwise the reason why the line is not an item.
std::optional<std::string_view> read_typed_item(std::string_view line, std::string& item,
                                                api::json::Document& document,
                                                api::json::Value& parsed);

}  // namespace magneto::server::formats
