#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/tables/backup_shapes.h"
#include "api/tables/backups.h"

// AWS API reference, DescribeBackup.
namespace magneto::api {

extern const Operation kDescribeBackup;
namespace {

constexpr MemberShape kDescribeBackupMembers[] = {kBackupArn};
constexpr Shape kDescribeBackupInput = older_request(kDescribeBackupMembers);

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

constinit const Operation kDescribeBackup{.name = "DescribeBackup",
                                          .input = kDescribeBackupInput,
                                          .handle = &describe_backup,
                                          .resource = "BackupArn"};

}  // namespace magneto::api
