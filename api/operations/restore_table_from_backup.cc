#include "api/error.h"
#include "api/messages/backup_messages.h"
#include "api/messages/resource_messages.h"
#include "api/operation_table.h"
#include "api/request/parameters.h"
#include "api/tables/backup_shapes.h"
#include "api/tables/backups.h"
#include "api/tables/restored_table.h"
#include "api/tables/table_description_json.h"
#include "api/tables/table_shapes.h"

// AWS API reference, RestoreTableFromBackup.
namespace magneto::api {
namespace {

constexpr MemberShape kMembers[] = {
    {"TargetTableName", &kResourceNameShape, Required::kYes},
    kBackupArn,
    {"BillingModeOverride", &kBillingModeShape},
    {"GlobalSecondaryIndexOverride", &kGlobalIndexesShape},
    {"LocalSecondaryIndexOverride", &kLocalIndexesShape},
    {"ProvisionedThroughputOverride", &kProvisionedThroughputShape},
    {"OnDemandThroughputOverride", &kOnDemandThroughputShape},
    {"SSESpecificationOverride", &kSseShape},
    {"VectorIndexOverride", &kVectorIndexesShape},
};
constexpr Shape kInput = older_request(kMembers);

// Whether or not it is there by now.
[[noreturn]] void fail_table_exists(const storage::Database& database, std::string_view name) {
  const storage::TablePtr table = database.find_table(name);
  const bool is_passing =
      table != nullptr && (table->schema.status == storage::ResourceStatus::kCreating ||
                           table->schema.status == storage::ResourceStatus::kDeleting);
  if (is_passing) {
    throw ApiError(ErrorType::kTableInUse, messages::table_being_made_or_deleted(name));
  }
  throw ApiError(ErrorType::kTableAlreadyExists, messages::table_exists(name));
}

void restore_table_from_backup(Request& request) {
  const std::string_view arn = Parameters(request.input).string_or_empty("BackupArn");
  const TableParameters wanted = read_restore_parameters(request.input);
  storage::Database& database = request.database;
  const storage::BackupPtr backup = existing_backup(database, arn);
  if (!backup->schema.is_complete) fail_backup_in_use(backup->schema);
  const double now = database.clock().epoch_seconds();
  storage::TableSchema schema = restored_table_schema(backup->schema, wanted, request.caller, now);
  if (database.find_table(wanted.table_name)) fail_table_exists(database, wanted.table_name);
  if (database.room().is_full()) {
    throw ApiError(ErrorType::kLimitExceeded, database.room().refusal());
  }
  const storage::RestoreResult restored = database.restore_table(backup, std::move(schema));
  if (restored.outcome == storage::BackupOutcome::kNoBackup) fail_backup_not_found(arn);
  if (restored.outcome == storage::BackupOutcome::kTableExists) {
    fail_table_exists(database, wanted.table_name);
  }
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("TableDescription");
  write_table_description(writer, *restored.table, now, DescriptionForm::kCreated);
  writer.end_object();
}

}  // namespace

constinit const Operation kRestoreTableFromBackup{.name = "RestoreTableFromBackup",
                                                  .input = kInput,
                                                  .handle = &restore_table_from_backup,
                                                  .writes = true};

}  // namespace magneto::api
