#include "api/jobs/past_reads.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "api/error.h"
#include "api/jobs/export_filter.h"
#include "api/jobs/export_times.h"
#include "api/json/attribute_value_json.h"
#include "api/json/base64.h"
#include "api/json/json_writer.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/validation/parameter_shapes.h"
#include "storage/backup/past_table.h"
#include "storage/model/limits.h"

namespace magneto::api {
namespace {

constexpr MemberShape kPastMembers[] = {
    {"TableName", &kItemTableNameShape, Required::kYes},
    {"Time", &kDoubleShape, Required::kYes},
    {"FilterSpecification", &kExportFilterShape},
    {"Start", &kStringShape},
};
constexpr Shape kPastInput = older_request(kPastMembers);

constexpr MemberShape kChangesMembers[] = {
    {"TableName", &kItemTableNameShape, Required::kYes},
    {"FromTime", &kDoubleShape, Required::kYes},
    {"ToTime", &kDoubleShape},
    {"ExportViewType", &kStringShape},
    {"Start", &kStringShape},
};
constexpr Shape kChangesInput = older_request(kChangesMembers);

storage::TablePtr need_table(const Request& request, const Parameters& parameters) {
  const std::string_view name = parameters.string_or_empty("TableName");
  storage::TablePtr table = request.database.find_table(name);
  if (table == nullptr) fail_table_not_found(name);
  return table;
}

void need_done(storage::BackupOutcome outcome, const storage::Table& table) {
  if (outcome == storage::BackupOutcome::kDone) return;
  if (outcome == storage::BackupOutcome::kOutsideWindow) fail_export_time();
  if (outcome == storage::BackupOutcome::kNoHistory) fail_no_recovery(table.schema.name);
  fail_table_not_found(table.schema.name);
}

// A key, where Start says one; else `first`.
std::string start_of(const Parameters& parameters, std::string first) {
  const std::string_view start = parameters.string_or_empty("Start");
  if (start.empty() || !json::is_base64(start)) return first;
  std::string key;
  json::decode_base64(start, key);
  return key;
}

void write_next(json::Writer& writer, std::string_view key) {
  if (key.empty()) return;
  std::string text;
  json::encode_base64(key, text);
  writer.text("Next", text);
}

std::string behind(std::string_view key) { return std::string(key) + '\0'; }

void read_past(Request& request) {
  const Parameters parameters(request.input);
  const storage::TablePtr table = need_table(request, parameters);
  const storage::PastView view =
      request.database.see_past(*table, parameters.value("Time").number());
  need_done(view.outcome, *table);
  const ExportFilter filter(parameters.value("FilterSpecification"));
  const storage::ReadRange range = filter.range(*table);
  const std::string& end = range.keys().upper;
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("Items");
  writer.begin_array();
  std::string next;
  if (!range.empty()) {
    storage::PastCursor cursor(*view.past, start_of(parameters, range.keys().lower), {});
    std::size_t bytes = 0;
    while (next.empty() && cursor.next() && cursor.key() < end) {
      filter.append(writer, cursor.item_view(), request.effort);
      bytes += cursor.item_size();
      if (bytes >= storage::kPageSize) next = behind(cursor.key());
    }
    if (cursor.is_resting()) next = cursor.rest_key();
  }
  writer.end_array();
  if (next < end) write_next(writer, next);
  writer.end_object();
}

void write_keys(json::Writer& writer, const storage::KeySchema& key, storage::ItemView item) {
  writer.key("Keys");
  writer.begin_object();
  for (const auto element : key.attributes()) {
    writer.escaped_key(element.attribute.name);
    json::append_value(writer.raw(), item.find(element.attribute.name));
  }
  writer.end_object();
}

void write_record(json::Writer& writer, const storage::PeriodCursor& change,
                  const storage::KeySchema& key, bool has_old, storage::Effort& effort) {
  writer.begin_object();
  writer.key("Metadata");
  writer.begin_object();
  writer.key("WriteTimestampMicros");
  writer.begin_object();
  writer.text("N", std::to_string(change.changed().time_since_epoch().count()));
  writer.end_object();
  writer.end_object();
  write_keys(writer, key, change.is_there() ? change.after() : change.before());
  if (has_old && change.was_there()) {
    writer.key("OldImage");
    append_exported(writer, change.before(), effort);
  }
  if (change.is_there()) {
    writer.key("NewImage");
    append_exported(writer, change.after(), effort);
  }
  writer.end_object();
}

void read_changes(Request& request) {
  const Parameters parameters(request.input);
  const storage::TablePtr table = need_table(request, parameters);
  std::optional<double> to;
  if (const json::Value given = parameters.value("ToTime")) to = given.number();
  const storage::PeriodView view =
      request.database.see_period(*table, parameters.value("FromTime").number(), to);
  need_done(view.outcome, *table);
  const bool has_old = parameters.string_or_empty("ExportViewType") != kNewImage;
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("Records");
  writer.begin_array();
  storage::PeriodCursor cursor(view.period, start_of(parameters, {}));
  std::string next;
  std::size_t bytes = 0;
  while (next.empty() && cursor.next()) {
    write_record(writer, cursor, table->schema.key, has_old, request.effort);
    bytes += cursor.bytes();
    if (bytes >= storage::kPageSize) next = behind(cursor.key());
  }
  if (cursor.is_resting()) next = cursor.rest_key();
  writer.end_array();
  write_next(writer, next);
  writer.end_object();
}

constexpr Operation kReadPast{.name = kReadPastName, .input = kPastInput, .handle = &read_past};
constexpr Operation kReadChanges{
    .name = kReadChangesName, .input = kChangesInput, .handle = &read_changes};

}  // namespace

const Operation* find_past_read(std::string_view name) {
  if (name == kReadPastName) return &kReadPast;
  return name == kReadChangesName ? &kReadChanges : nullptr;
}

}  // namespace magneto::api
