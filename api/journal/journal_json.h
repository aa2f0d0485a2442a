#pragma once

#include <string>

#include "api/journal/journal.h"
#include "api/json/json_reader.h"
#include "api/json/json_writer.h"

// The journal in JSON. A record:
//
//   {"number": 7, "at": "2026-11-23T08:00:00.123Z", "namespace": "main", "operation": "Query",
//    "table": "orders", "index": "by_day", "keys": [{"key": {"pk": "a"}, "writes": false}],
//    "caller": {"access_key", "region", "address"}, "status": 200, "error": null,
//    "milliseconds": 0.21, "consumed": {"read_units": 0.5, "write_units": 0},
//    "plan": {"read": 4, "returned": 1, "bytes_read": 812}, "request_bytes", "response_bytes",
//    "request_id": "...", "faults": ["f1"], "request": {...}, "response": {...}}
//
// "table", "index" and "error" are null where there is none, "status" where no whole answer was
// sent. A request on several tables has "tables" too. "request" and "response" are there when bodies
// are kept and no longer than Journal::kMaxBody.
namespace magneto::api {

void write_journal_record(const JournalRecord& record, std::string_view name_space,
                          json::Writer& writer);

// The members "records", "next" and "dropped" of an object that was begun.
void write_journal_page(const Journal& journal, const Journal::Page& page, json::Writer& writer);

// JSON Lines: a record each.
std::string journal_lines(const Journal& journal, const Journal::Page& page);

inline constexpr std::string_view kJournalSettings[] = {"on", "bodies", "bytes"};
// {"on": bool, "bodies": bool, "bytes": n}, each of which may be left out and stays then. Throws
// DialError.
Journal::Settings read_journal_settings(json::Object given, const Journal::Settings& before);
// The same members of an object that was begun.
void write_journal_settings(const Journal::Settings& settings, json::Writer& writer);

}  // namespace magneto::api
