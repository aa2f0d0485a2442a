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
// "table", "index" and "error" are null if there is none; "status" is null if no complete answer
// was sent. A request on several tables also has "tables". "request" and "response" are present if
// bodies are stored and no longer than Journal::kMaxBody.
namespace magneto::api {

void write_journal_record(const JournalRecord& record, std::string_view name_space,
                          json::Writer& writer);

// Writes the members "records", "next" and "dropped" of an open object.
void write_journal_page(const Journal& journal, const Journal::Page& page, json::Writer& writer);

// JSON Lines: one record per line.
std::string journal_lines(const Journal& journal, const Journal::Page& page);

inline constexpr std::string_view kJournalSettings[] = {"on", "bodies", "bytes"};
// Reads {"on": bool, "bodies": bool, "bytes": n}. Each member is optional; a missing one keeps its
// value. Throws ControlError.
Journal::Settings read_journal_settings(json::Object given, const Journal::Settings& before);
// Writes the same members into an open object.
void write_journal_settings(const Journal::Settings& settings, json::Writer& writer);

}  // namespace magneto::api
