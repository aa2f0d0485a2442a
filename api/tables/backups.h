#pragma once

#include <string_view>

#include "api/json/json_writer.h"
#include "api/operation.h"
#include "storage/database.h"

// Backups as requests name them and answers describe them (AWS API reference, BackupDescription).
namespace magneto::api {

// Throws BackupNotFoundException if the caller's database has no backup with that ARN. Throws
// ValidationException or AccessDeniedException if the ARN is not a backup's or is of another
// account.
storage::BackupPtr existing_backup(const storage::Database& database, const Caller& caller,
                                   std::string_view arn);
[[noreturn]] void fail_backup_not_found(std::string_view arn);
// Throws BackupInUseException: the backup is being created or, if it is complete, being restored.
[[noreturn]] void fail_backup_in_use(const storage::BackupSchema& backup);

// "CREATING" or "AVAILABLE".
std::string_view backup_status(const storage::BackupSchema& backup);

// Each writes one JSON object. `status` is written unchanged, since a deleted backup is DELETED.
void write_backup_details(json::Writer& writer, const storage::BackupSchema& backup,
                          std::string_view status);
void write_backup_description(json::Writer& writer, const storage::BackupSchema& backup,
                              std::string_view status);
void write_backup_summary(json::Writer& writer, const storage::BackupSchema& backup);

}  // namespace magneto::api
