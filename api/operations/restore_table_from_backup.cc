#include <array>
#include <optional>

#include "api/error.h"
#include "api/messages/backup_messages.h"
#include "api/operation.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/tables/backup_shapes.h"
#include "api/tables/backups.h"
#include "api/tables/restored_table.h"

// AWS API reference, RestoreTableFromBackup.
namespace magneto::api {

extern const Operation kRestoreTableFromBackup;
namespace {

constexpr auto kRestoreTableFromBackupMembers =
    with_overrides(std::to_array<MemberShape>({kRestoreTarget, kBackupArn}));
constexpr Shape kRestoreTableFromBackupInput = older_request(kRestoreTableFromBackupMembers);

// AWS checks the region of a backup before it looks the backup up (captured from AWS, October
// 2026).
storage::BackupPtr source_of(const Request& request, std::string_view arn,
                             const TableParameters& wanted) {
  const std::optional<ArnParts> parts = split_arn(arn);
  if (parts && parts->account == request.caller.account && !storage::backup_id_in(arn).empty() &&
      request.database.find_backup(arn) == nullptr) {
    check_restore_region(parts->region, wanted, request.caller);
  }
  return existing_backup(request.database, request.caller, arn);
}

void restore_table_from_backup(Request& request) {
  const std::string_view arn = Parameters(request.input).string_or_empty("BackupArn");
  const TableParameters wanted = read_restore_parameters(request.input);
  storage::Database& database = request.database;
  const storage::BackupPtr backup = source_of(request, arn, wanted);
  if (!backup->schema->is_complete) fail_backup_in_use(*backup->schema);
  const double now = database.clock().epoch_seconds();
  storage::TableSchema schema =
      restored_table_schema(backup->schema->table, wanted, request.caller, now);
  check_restore_room(database, wanted.table_name);
  const storage::RestoreResult restored = database.restore_table(backup, std::move(schema));
  if (restored.outcome == storage::BackupOutcome::kNoBackup) fail_backup_not_found(arn);
  if (restored.outcome == storage::BackupOutcome::kInUse) {
    throw ApiError(ErrorType::kBackupInUse, messages::backup_being_used_for_another(arn));
  }
  if (restored.outcome == storage::BackupOutcome::kTableExists) {
    fail_restored_exists(database, wanted.table_name);
  }
  write_restored(request.output, *restored.table, now);
}

}  // namespace

constinit const Operation kRestoreTableFromBackup{.name = "RestoreTableFromBackup",
                                                  .input = kRestoreTableFromBackupInput,
                                                  .handle = &restore_table_from_backup,
                                                  .writes = true,
                                                  .resource = "BackupArn",
                                                  .target = "TargetTableName",
                                                  .needs_store_alone = true};

}  // namespace magneto::api
