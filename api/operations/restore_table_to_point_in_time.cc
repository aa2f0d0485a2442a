#include <array>
#include <optional>
#include <utility>

#include "api/error.h"
#include "api/jobs/export_times.h"
#include "api/messages/backup_messages.h"
#include "api/messages/policy_messages.h"
#include "api/messages/request_messages.h"
#include "api/operation.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/restored_table.h"
#include "storage/backup/table_as_of.h"

// AWS API reference, RestoreTableToPointInTime.
namespace magneto::api {

extern const Operation kRestoreTableToPointInTime;
namespace {

constexpr Shape kTableArnShape = with_range(kStringShape, 1, 1'024);
constexpr auto kRestoreTableToPointInTimeMembers = with_overrides(std::to_array<MemberShape>({
    {"SourceTableArn", &kTableArnShape},
    {"SourceTableName", &kResourceNameShape},
    kRestoreTarget,
    {"UseLatestRestorableTime", &kBooleanShape},
    {"RestoreDateTime", &kDoubleShape},
}));
constexpr Shape kRestoreTableToPointInTimeInput = older_request(kRestoreTableToPointInTimeMembers);

// The messages of this file are captured from AWS, October 2026.
void check_source_arn(std::string_view arn, const TableParameters& wanted, const Caller& caller) {
  const std::optional<TableArn> parts = split_table_arn(arn);
  if (!parts) fail_validation(messages::kRestoreSourceArn);
  if (caller.profile != Profile::kAws) return;
  if (parts->account != caller.account) fail_validation(messages::kOtherAccount);
  check_restore_region(parts->region, wanted, caller);
}

std::string_view name_of_source(const Parameters& parameters) {
  const bool has_arn = parameters.has("SourceTableArn");
  if (!has_arn && !parameters.has("SourceTableName")) {
    fail_validation(messages::missing_parameter("TableName"));
  }
  if (has_arn && parameters.has("SourceTableName")) fail_validation(messages::kTwoRestoreSources);
  return parameters.string_or_empty(has_arn ? "SourceTableArn" : "SourceTableName");
}

storage::TablePtr as_of_source_of(const Request& request, const TableParameters& wanted) {
  const Parameters parameters(request.input);
  const std::string_view given = name_of_source(parameters);
  const bool has_arn = parameters.has("SourceTableArn");
  storage::TablePtr table =
      !has_arn || split_table_arn(given) ? find_table(request, given) : nullptr;
  if (!table && has_arn) check_source_arn(given, wanted, request.caller);
  if (!table || table->schema.status == storage::ResourceStatus::kCreating ||
      table->schema.status == storage::ResourceStatus::kDeleting) {
    fail_backup_table_not_found(table_name_of(given));
  }
  return table;
}

// API model, "RestoreTableToPointInTimeInput": only a restore from a backup may set it. An empty
// one sets nothing.
void refuse_warm_indexes(const TableParameters& wanted) {
  for (const RequestedIndex& index : wanted.indexes.elements) {
    const auto& warm = index.warm;
    if (warm && (warm->read_units_per_second || warm->write_units_per_second)) {
      fail_validation(messages::warm_of_restored_index(index.name));
    }
  }
}

// nullopt: the latest time.
std::optional<double> time_of(const Parameters& parameters) {
  const json::Value time = parameters.value("RestoreDateTime");
  const bool wants_latest = parameters.boolean("UseLatestRestorableTime");
  if (wants_latest == parameters.has("RestoreDateTime")) {
    fail_validation(wants_latest ? messages::kTwoRestoreTimes : messages::kNoRestoreTime);
  }
  return wants_latest ? std::nullopt : std::optional(time.number());
}

[[noreturn]] void fail_outside(const storage::Database& database, const storage::Table& source,
                               std::optional<double> time) {
  const auto window = database.recovery_window(source);
  if (!window) fail_no_recovery(source.schema.name);
  const double latest = storage::seconds_of(window->latest);
  throw ApiError(ErrorType::kInvalidRestoreTime,
                 messages::restore_time_outside(time.value_or(latest),
                                                storage::seconds_of(window->earliest), latest));
}

[[noreturn]] void fail(storage::BackupOutcome outcome, const storage::Database& database,
                       const storage::Table& source, std::optional<double> time,
                       std::string_view target) {
  switch (outcome) {
    case storage::BackupOutcome::kNoHistory:
      fail_no_recovery(source.schema.name);
    case storage::BackupOutcome::kOutsideWindow:
      fail_outside(database, source, time);
    case storage::BackupOutcome::kTableExists:
      fail_restored_exists(database, target);
    default:
      fail_backup_table_not_found(source.schema.name);
  }
}

void restore_table_to_point_in_time(Request& request) {
  const Parameters parameters(request.input);
  const TableParameters wanted = read_restore_parameters(request.input);
  refuse_warm_indexes(wanted);
  storage::Database& database = request.database;
  const storage::TablePtr source = as_of_source_of(request, wanted);
  const std::optional<double> time = time_of(parameters);
  if (!source->schema.point_in_time_recovery.enabled) fail_no_recovery(source->schema.name);
  // An invalid time is reported before an existing target table.
  if (database.find_table(wanted.table_name)) {
    const storage::BackupOutcome outcome = database.read_as_of(*source, time).outcome;
    if (outcome != storage::BackupOutcome::kDone) {
      fail(outcome, database, *source, time, wanted.table_name);
    }
  }
  const double now = database.clock().epoch_seconds();
  storage::TableSchema schema = restored_table_schema(source->schema, wanted, request.caller, now);
  check_restore_room(database, wanted.table_name);
  const storage::RestoreResult restored = database.restore_table(*source, time, std::move(schema));
  if (restored.outcome != storage::BackupOutcome::kDone) {
    fail(restored.outcome, database, *source, time, wanted.table_name);
  }
  write_restored(request.output, *restored.table, now);
}

}  // namespace

constinit const Operation kRestoreTableToPointInTime{.name = "RestoreTableToPointInTime",
                                                     .input = kRestoreTableToPointInTimeInput,
                                                     .handle = &restore_table_to_point_in_time,
                                                     .writes = true,
                                                     .resource = "SourceTableArn",
                                                     .other_resource = "SourceTableName",
                                                     .target = "TargetTableName",
                                                     .needs_store_alone = true};

}  // namespace magneto::api
