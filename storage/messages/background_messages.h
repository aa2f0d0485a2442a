#pragma once

#include <string>
#include <string_view>

// Failures of background work, or at the end of the process.
namespace magneto::storage::messages {

// `what`: a Worker's name, such as "tables", or one of these.
inline constexpr std::string_view kGlobalIndexes = "global indexes";
inline constexpr std::string_view kTimeToLive = "time to live";
inline constexpr std::string_view kGlobalTables = "global tables";
std::string tried_again(std::string_view what, std::string_view why);

// Backups and restores that failed.
inline constexpr const char* kBackupCutOff = "the process ended before it was complete";
inline constexpr const char* kBackupIsGone = "its backup no longer exists";
inline constexpr const char* kHistoryIsGone =
    "the history of its table no longer reaches back that far";
std::string backup_removed(std::string_view backup, std::string_view table, std::string_view why);
std::string restore_ended(std::string_view table, std::string_view why);

// A replica that is CREATION_FAILED.
std::string replica_not_made(std::string_view table, std::string_view region, std::string_view why);
// Reported once, for the first history that is shortened for lack of room.
std::string history_shortened(std::string_view table);
std::string history_of_many_turns(std::string_view table, std::size_t most);

// --shared
inline constexpr const char* kUncounted =
    "the items of this store were not counted when its last server ended: start one server without --shared, wait until it is ready, end it, and try again";

std::string closing_failed(std::string_view why);

}  // namespace magneto::storage::messages
