#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Backups, and tables that are restored from them. AWS's own words but for those marked.
namespace magneto::api::messages {

std::string backup_not_found(std::string_view arn);

// Not captured on AWS: the first sentences of the API reference on these errors.
std::string backup_being_made(std::string_view arn);
std::string backup_being_used(std::string_view arn);
std::string table_being_made_or_deleted(std::string_view table);
inline constexpr const char* kInvalidRestoreTime =
    "An invalid restore time was specified. RestoreDateTime must be between EarliestRestorableDateTime and LatestRestorableDateTime.";

// Magneto's own.
std::string too_many_backups(std::size_t most);
std::string not_a_backup_arn(std::string_view arn);
// `source`: "backup" or "table". `kind`: "global secondary", "local secondary" or "vector".
std::string index_not_in_source(std::string_view source, std::string_view index,
                                std::string_view kind);
inline constexpr const char* kOneRestoreSource =
    "One or more parameter values were invalid: Exactly one of SourceTableArn and SourceTableName must be given";
inline constexpr const char* kOneRestoreTime =
    "One or more parameter values were invalid: Exactly one of RestoreDateTime and UseLatestRestorableTime must be given";

}  // namespace magneto::api::messages
