#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/tables/backup_shapes.h"
#include "api/tables/backups.h"

// AWS API reference, DeleteBackup.
namespace magneto::api {

extern const Operation kDeleteBackup;
namespace {

constexpr MemberShape kDeleteBackupMembers[] = {kBackupArn};
constexpr Shape kDeleteBackupInput = older_request(kDeleteBackupMembers);

void delete_backup(Request& request) {
  const std::string_view arn = Parameters(request.input).string_or_empty("BackupArn");
  const storage::BackupPtr backup = existing_backup(request.database, request.caller, arn);
  const storage::BackupResult deleted = request.database.delete_backup(arn);
  if (deleted.outcome == storage::BackupOutcome::kInUse) fail_backup_in_use(*backup->schema);
  if (deleted.outcome == storage::BackupOutcome::kNoBackup) fail_backup_not_found(arn);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("BackupDescription");
  write_backup_description(writer, *deleted.backup->schema, "DELETED");
  writer.end_object();
}

}  // namespace

constinit const Operation kDeleteBackup{.name = "DeleteBackup",
                                        .input = kDeleteBackupInput,
                                        .handle = &delete_backup,
                                        .writes = true,
                                        .resource = "BackupArn"};

}  // namespace magneto::api
