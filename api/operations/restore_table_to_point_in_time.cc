#include <optional>
#include <utility>

#include "api/error.h"
#include "api/messages/backup_messages.h"
#include "api/messages/job_messages.h"
#include "api/operation_table.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/restored_table.h"

// AWS API reference, RestoreTableToPointInTime.
namespace magneto::api {
namespace {

constexpr Shape kTableArnShape = with_range(kStringShape, 1, 1'024);
constexpr MemberShape kMembers[] = {
    {"SourceTableArn", &kTableArnShape},
    {"SourceTableName", &kResourceNameShape},
    kRestoreTarget,
    {"UseLatestRestorableTime", &kBooleanShape},
    {"RestoreDateTime", &kDoubleShape},
    kBillingOverride,
    kGlobalOverride,
    kLocalOverride,
    kUnitsOverride,
    kOnDemandOverride,
    kEncryptionOverride,
    kVectorOverride,
};
constexpr Shape kInput = older_request(kMembers);

storage::TablePtr source_of(const storage::Database& database, const Parameters& parameters) {
  if (parameters.has("SourceTableArn") == parameters.has("SourceTableName")) {
    fail_validation(messages::kOneRestoreSource);
  }
  const bool has_arn = parameters.has("SourceTableArn");
  const std::string_view given =
      parameters.string_or_empty(has_arn ? "SourceTableArn" : "SourceTableName");
  if (has_arn) parse_table_arn(given);
  storage::TablePtr table = find_table(database, given);
  if (!table || table->schema.status == storage::ResourceStatus::kCreating ||
      table->schema.status == storage::ResourceStatus::kDeleting) {
    fail_backup_table_not_found(table_name_of(given));
  }
  return table;
}

// Absent: the latest.
std::optional<double> time_of(const Parameters& parameters) {
  const json::Value time = parameters.value("RestoreDateTime");
  const bool wants_latest = parameters.boolean("UseLatestRestorableTime");
  if (wants_latest == parameters.has("RestoreDateTime")) {
    fail_validation(messages::kOneRestoreTime);
  }
  return wants_latest ? std::nullopt : std::optional(time.number());
}

[[noreturn]] void fail(storage::BackupOutcome outcome, const storage::Database& database,
                       const storage::Table& source, std::string_view target) {
  switch (outcome) {
    case storage::BackupOutcome::kNoHistory:
      throw ApiError(ErrorType::kPointInTimeRecoveryUnavailable,
                     messages::no_point_in_time_recovery(source.schema.name));
    case storage::BackupOutcome::kOutsideWindow:
      throw ApiError(ErrorType::kInvalidRestoreTime, messages::kInvalidRestoreTime);
    case storage::BackupOutcome::kTableExists:
      fail_restored_exists(database, target);
    default:
      fail_backup_table_not_found(source.schema.name);
  }
}

void restore_table_to_point_in_time(Request& request) {
  const Parameters parameters(request.input);
  const TableParameters wanted = read_restore_parameters(request.input);
  storage::Database& database = request.database;
  const storage::TablePtr source = source_of(database, parameters);
  const std::optional<double> time = time_of(parameters);
  const double now = database.clock().epoch_seconds();
  storage::TableSchema schema =
      restored_table_schema(source->schema, "table", wanted, request.caller, now);
  check_restore_room(database, wanted.table_name);
  const storage::RestoreResult restored = database.restore_table(*source, time, std::move(schema));
  if (restored.outcome != storage::BackupOutcome::kDone) {
    fail(restored.outcome, database, *source, wanted.table_name);
  }
  write_restored(request.output, *restored.table, now);
}

}  // namespace

constinit const Operation kRestoreTableToPointInTime{.name = "RestoreTableToPointInTime",
                                                     .input = kInput,
                                                     .handle = &restore_table_to_point_in_time,
                                                     .writes = true};

}  // namespace magneto::api
