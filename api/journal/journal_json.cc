#include "api/journal/journal_json.h"

#include <cmath>

#include "api/json/strict_object.h"
#include "api/times.h"

namespace magneto::api {
namespace {

void write_or_null(std::string_view name, std::string_view text, json::Writer& writer) {
  writer.key(name);
  if (text.empty()) {
    writer.null();
  } else {
    writer.string(text);
  }
}

void write_keys(const JournalRecord& record, json::Writer& writer) {
  writer.key("keys");
  writer.begin_array();
  for (const JournalRecord::Key& key : record.keys) {
    writer.begin_object();
    if (record.tables.size() > 1) writer.text("table", key.table);
    writer.key("key");
    writer.raw() += key.key;
    writer.key("writes");
    writer.boolean(key.writes);
    writer.end_object();
  }
  writer.end_array();
}

void write_caller(const JournalRecord& record, json::Writer& writer) {
  writer.key("caller");
  writer.begin_object();
  write_or_null("access_key", record.access_key, writer);
  write_or_null("region", record.region, writer);
  write_or_null("address", record.address, writer);
  writer.end_object();
}

void write_costs(const JournalRecord& record, json::Writer& writer) {
  writer.key("milliseconds");
  writer.number(std::round(record.milliseconds * 1000) / 1000);
  writer.key("consumed");
  writer.begin_object();
  writer.key("read_units");
  writer.number(record.read_units);
  writer.key("write_units");
  writer.number(record.write_units);
  writer.end_object();
  writer.key("plan");
  writer.begin_object();
  writer.integer("read", record.plan.read);
  writer.integer("returned", record.plan.returned);
  writer.integer("bytes_read", static_cast<std::int64_t>(record.plan.bytes));
  writer.end_object();
  writer.integer("request_bytes", static_cast<std::int64_t>(record.request_bytes));
  writer.integer("response_bytes", static_cast<std::int64_t>(record.response_bytes));
}

void write_list(std::string_view name, const std::vector<std::string>& texts,
                json::Writer& writer) {
  writer.key(name);
  writer.begin_array();
  for (const std::string& text : texts) writer.string(text);
  writer.end_array();
}

void write_decisions(const JournalRecord& record, json::Writer& writer) {
  if (record.decisions.empty()) return;
  writer.key("access");
  writer.begin_array();
  for (const access::Decision& decision : record.decisions) {
    writer.begin_object();
    writer.text("principal", decision.principal);
    writer.text("action", std::string("dynamodb:").append(decision.action));
    writer.text("resource", decision.resource);
    writer.key("allowed");
    writer.boolean(decision.allowed);
    writer.text("by", access::source_text(decision.source));
    if (decision.by_statement) {
      if (!decision.policy.empty()) writer.text("policy", decision.policy);
      writer.text("statement", decision.statement);
    }
    writer.end_object();
  }
  writer.end_array();
}

void write_body(std::string_view name, std::string_view body, json::Writer& writer) {
  if (body.empty()) return;
  writer.key(name);
  writer.raw() += body;
}

}  // namespace

void write_journal_record(const JournalRecord& record, std::string_view name_space,
                          json::Writer& writer) {
  writer.begin_object();
  writer.integer("number", static_cast<std::int64_t>(record.number));
  writer.text("at", time_text(record.at));
  writer.text("namespace", name_space);
  write_or_null("operation", record.operation, writer);
  write_or_null("table", record.tables.empty() ? "" : record.tables.front(), writer);
  if (record.tables.size() > 1) write_list("tables", record.tables, writer);
  write_or_null("index", record.index, writer);
  write_keys(record, writer);
  write_caller(record, writer);
  writer.key("status");
  if (record.status == 0) {
    writer.null();
  } else {
    writer.integer(record.status);
  }
  write_or_null("error", record.error, writer);
  write_decisions(record, writer);
  write_costs(record, writer);
  writer.text("request_id", record.request_id);
  if (!record.faults.empty()) write_list("faults", record.faults, writer);
  if (record.was_kept) {
    writer.key("ran");
    writer.boolean(false);
  }
  write_body("request", record.request, writer);
  write_body("response", record.response, writer);
  writer.end_object();
}

void write_journal_page(const Journal& journal, const Journal::Page& page, json::Writer& writer) {
  writer.key("records");
  writer.begin_array();
  for (const Journal::Record& record : page.records) {
    write_journal_record(*record, journal.name_space(), writer);
  }
  writer.end_array();
  writer.integer("next", static_cast<std::int64_t>(page.next));
  writer.integer("dropped", static_cast<std::int64_t>(page.dropped));
}

std::string journal_lines(const Journal& journal, const Journal::Page& page) {
  std::string lines;
  for (const Journal::Record& record : page.records) {
    json::Writer writer(lines);
    write_journal_record(*record, journal.name_space(), writer);
    lines += '\n';
  }
  return lines;
}

Journal::Settings read_journal_settings(json::Object given, const Journal::Settings& before) {
  const json::StrictObject members(given, "the journal's settings", kJournalSettings);
  Journal::Settings settings = before;
  settings.on = members.boolean("on").value_or(before.on);
  settings.bodies = members.boolean("bodies").value_or(before.bodies);
  if (const auto bytes = members.whole("bytes", Journal::kLeastBytes, Journal::kMostBytes)) {
    settings.bytes = static_cast<std::size_t>(*bytes);
  }
  return settings;
}

void write_journal_settings(const Journal::Settings& settings, json::Writer& writer) {
  writer.key("on");
  writer.boolean(settings.on);
  writer.key("bodies");
  writer.boolean(settings.bodies);
  writer.integer("bytes", static_cast<std::int64_t>(settings.bytes));
}

}  // namespace magneto::api
