#pragma once

#include "api/journal/journal.h"
#include "api/json/json_reader.h"
#include "api/json/json_writer.h"

namespace magneto::api {

inline constexpr std::string_view kAssertionRequest[] = {"after", "assertions"};
inline constexpr std::size_t kMaxAssertions = 100;

// Checks the records of a journal against assertions:
//
//   {"after": N, "assertions": [
//     {"no_scan": true},            no Scan, and no SELECT without a partition key
//     {"no_errors": true},          every request was answered with 200
//     {"max_units": 3},             of all together; also "max_read_units", "max_write_units"
//     {"max_writes_per_key": 1},
//     {"max_calls": {"operation": "PutItem", "count": 2}},   "operation" may be left out
//     {"no_n_plus_one": 5},         fewer successive reads of one table with different keys
//     {"max_read_per_returned": 10},
//     {"only_tables": ["a", "b"]}]}
//
// Each may also have a member "table"; then it checks only requests on that table. Writes
// {"passed": bool, "failures": [{"assertion": as given, "sentence": "...", "records": [numbers]}]}.
// It is a failure if records after "after" were dropped. Throws ControlError, before it writes to
// `writer`.
void check_assertions(const Journal& journal, json::Object request, json::Writer& writer);

}  // namespace magneto::api
