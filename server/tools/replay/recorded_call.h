#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/json/json_reader.h"

namespace magneto::server::tools {

// A request of a journal (api/journal/journal_json.h) and its answer. Views and values live as long
// as the document they were read from.
struct RecordedCall {
  std::int64_t number = 0;
  std::optional<std::chrono::milliseconds> at;  // since the epoch; nullopt: not told
  std::string_view operation;
  std::optional<std::int64_t> status;  // nullopt: no whole answer was sent
  std::string_view error;              // empty: none
  bool was_kept = false;               // from running, by a rule of faults
  api::json::Value request;            // absent: not kept
  api::json::Value response;           // the same
};

// nullopt for what is no record of a journal.
std::optional<RecordedCall> read_recorded_call(api::json::Value line);

}  // namespace magneto::server::tools
