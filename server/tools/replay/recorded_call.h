#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/json/json_reader.h"

namespace magneto::server::tools {

// A request in a journal (api/journal/journal_json.h) with its answer. Views and values are valid
// while the document that they were read from lives.
struct RecordedCall {
  std::int64_t number = 0;
  std::optional<std::chrono::milliseconds> at;  // since the epoch; nullopt: not recorded
  std::string_view operation;
  std::optional<std::int64_t> status;  // nullopt: no complete answer was sent
  std::string_view error;              // empty: none
  bool was_kept = false;               // a fault rule kept the request from running
  api::json::Value request;            // absent: not recorded
  api::json::Value response;           // absent: not recorded
};

// nullopt if the line is not a record of a journal.
std::optional<RecordedCall> read_recorded_call(api::json::Value line);

}  // namespace magneto::server::tools
