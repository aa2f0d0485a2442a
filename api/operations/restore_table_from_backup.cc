#include "api/operation_table.h"
#include "api/request/parameters.h"
#include "api/tables/backup_shapes.h"
#include "api/tables/backups.h"
#include "api/tables/restored_table.h"

// AWS API reference, RestoreTableFromBackup.
namespace magneto::api {
namespace {

constexpr MemberShape kMembers[] = {
    kRestoreTarget, kBackupArn,        kBillingOverride,    kGlobalOverride, kLocalOverride,
    kUnitsOverride, kOnDemandOverride, kEncryptionOverride, kVectorOverride,
};
constexpr Shape kInput = older_request(kMembers);

void restore_table_from_backup(Request& request) {
  const std::string_view arn = Parameters(request.input).string_or_empty("BackupArn");
  const TableParameters wanted = read_restore_parameters(request.input);
  storage::Database& database = request.database;
  const storage::BackupPtr backup = existing_backup(database, arn);
  if (!backup->schema->is_complete) fail_backup_in_use(*backup->schema);
  const double now = database.clock().epoch_seconds();
  storage::TableSchema schema =
      restored_table_schema(backup->schema->table, "backup", wanted, request.caller, now);
  check_restore_room(database, wanted.table_name);
  const storage::RestoreResult restored = database.restore_table(backup, std::move(schema));
  if (restored.outcome == storage::BackupOutcome::kNoBackup) fail_backup_not_found(arn);
  if (restored.outcome == storage::BackupOutcome::kTableExists) {
    fail_restored_exists(database, wanted.table_name);
  }
  write_restored(request.output, *restored.table, now);
}

}  // namespace

constinit const Operation kRestoreTableFromBackup{.name = "RestoreTableFromBackup",
                                                  .input = kInput,
                                                  .handle = &restore_table_from_backup,
                                                  .writes = true};

}  // namespace magneto::api
