#include "api/error.h"
#include "api/messages/backup_messages.h"
#include "api/messages/resource_messages.h"
#include "api/operation.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/backups.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, CreateBackup.
namespace magneto::api {

extern const Operation kCreateBackup;
namespace {

constexpr MemberShape kCreateBackupMembers[] = {
    kControlTableName,
    {"BackupName", &kResourceNameShape, Required::kYes},
};
constexpr Shape kCreateBackupInput = older_request(kCreateBackupMembers);

// On AWS, a table cannot be backed up while it is CREATING, or after it has been DELETING for more
// than a second (captured from AWS, October 2026).
storage::TablePtr table_to_back_up(const Request& request, std::string_view name) {
  storage::TablePtr table = find_table(request, name);
  const bool is_there = table && table->schema.status != storage::ResourceStatus::kCreating &&
                        table->schema.status != storage::ResourceStatus::kDeleting;
  if (!is_there) fail_backup_table_not_found(table_name_of(name));
  return table;
}

void create_backup(Request& request) {
  const Parameters parameters(request.input);
  const std::string_view name = parameters.string_or_empty("TableName");
  const storage::TablePtr table = table_to_back_up(request, name);
  if (request.database.room().is_full()) {
    throw ApiError(ErrorType::kLimitExceeded, request.database.room().refusal());
  }
  const storage::BackupResult made =
      request.database.create_backup(table, parameters.string_or_empty("BackupName"));
  if (made.outcome == storage::BackupOutcome::kNoTable) {
    fail_backup_table_not_found(table_name_of(name));
  }
  if (made.outcome == storage::BackupOutcome::kTooMany) {
    throw ApiError(ErrorType::kLimitExceeded, messages::too_many_backups(storage::kMaxBackups));
  }
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("BackupDetails");
  write_backup_details(writer, *made.backup->schema, backup_status(*made.backup->schema));
  writer.end_object();
}

}  // namespace

constinit const Operation kCreateBackup{.name = "CreateBackup",
                                        .input = kCreateBackupInput,
                                        .handle = &create_backup,
                                        .writes = true,
                                        .needs_store_alone = true};

}  // namespace magneto::api
