#pragma once

#include "api/journal/journal.h"
#include "api/json/json_reader.h"
#include "api/json/json_writer.h"

namespace magneto::api {

inline constexpr std::string_view kAssertionRequest[] = {"after", "assertions"};
inline constexpr std::size_t kMaxAssertions = 100;

// Holds the records of a journal against assertions:
//
//   {"after": N, "assertions": [
//     {"no_scan": true},            neither Scan, nor a SELECT without a partition key
//     {"no_errors": true},          every request was answered with 200
//     {"max_units": 3},             of all together; also "max_read_units", "max_write_units"
//     {"max_writes_per_key": 1},
//     {"max_calls": {"operation": "PutItem", "count": 2}},   "operation" may be left out
//     {"no_n_plus_one": 5},         so many reads of one table in a row that differ in the key
//     {"max_read_per_returned": 10},
//     {"only_tables": ["a", "b"]}]}
//
// Each may have a member "table" too, and looks only at requests on it then. Writes {"passed": bool,
// "failures": [{"assertion": as given, "sentence": "...", "records": [numbers]}]}. Where records
// behind "after" were dropped, that is a failure. Throws DialError; then `writer` wrote nothing.
void check_assertions(const Journal& journal, json::Object request, json::Writer& writer);

}  // namespace magneto::api
