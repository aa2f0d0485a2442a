#pragma once

#include <string_view>

#include "api/json/json_writer.h"
#include "api/operation.h"
#include "storage/database.h"

// Backups as requests name them and answers describe them (AWS API reference, BackupDescription).
namespace magneto::api {

// Throws BackupNotFoundException when the caller's database has none of that ARN,
// ValidationException and AccessDeniedException when that is the ARN of something else or of another
// account.
storage::BackupPtr existing_backup(const storage::Database& database, const Caller& caller,
                                   std::string_view arn);
[[noreturn]] void fail_backup_not_found(std::string_view arn);
// BackupInUseException: it is being made or, if it is complete, restored. To whom would delete it.
[[noreturn]] void fail_backup_in_use(const storage::BackupSchema& backup);

// "CREATING" or "AVAILABLE".
std::string_view backup_status(const storage::BackupSchema& backup);

// Each writes one JSON object. `status` is shown as it is, since a deleted backup is DELETED.
void write_backup_details(json::Writer& writer, const storage::BackupSchema& backup,
                          std::string_view status);
void write_backup_description(json::Writer& writer, const storage::BackupSchema& backup,
                              std::string_view status);
void write_backup_summary(json::Writer& writer, const storage::BackupSchema& backup);

}  // namespace magneto::api
