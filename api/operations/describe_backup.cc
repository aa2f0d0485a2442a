#include "api/operation_table.h"
#include "api/request/parameters.h"
#include "api/tables/backup_shapes.h"
#include "api/tables/backups.h"

// AWS API reference, DescribeBackup.
namespace magneto::api {
namespace {

constexpr MemberShape kMembers[] = {kBackupArn};
constexpr Shape kInput = older_request(kMembers);

void describe_backup(Request& request) {
  const std::string_view arn = Parameters(request.input).string_or_empty("BackupArn");
  const storage::BackupPtr backup = existing_backup(request.database, request.caller, arn);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("BackupDescription");
  write_backup_description(writer, *backup->schema, backup_status(*backup->schema));
  writer.end_object();
}

}  // namespace

constinit const Operation kDescribeBackup{
    .name = "DescribeBackup", .input = kInput, .handle = &describe_backup};

}  // namespace magneto::api
