#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// The data directory, its files and their disk. `why`: the message of the system or RocksDB.
namespace magneto::storage::messages {

// The action on a directory or file: "open", "read", "create", "write", "scan" or one of these.
inline constexpr const char* kWriteTo = "write to";
inline constexpr const char* kWriteUntilRestartedTo = "write (until restarted) to";
inline constexpr const char* kReclaimSpaceIn = "reclaim space in";

std::string directory_failure(std::string_view action, std::string_view directory,
                              std::string_view why);
std::string file_failure(std::string_view action, std::string_view file, std::string_view why);
// Like directory_failure(), for a directory of another user.
std::string denied_directory(std::string_view action, std::string_view directory,
                             std::string_view why, std::uint64_t user, std::uint64_t owner);
std::string not_a_directory(std::string_view path);
std::string directory_in_use(std::string_view directory);
std::string newer_directory(std::string_view directory, int format, int newest);
// Also for names that differ only by case, if the file system treats them as equal.
std::string saved_already(std::string_view path);
std::string foreign_directory(std::string_view directory, std::string_view file);
std::string open_to_others(std::string_view directory);

// Damage, with the file that shows it.
std::string damaged_directory(std::string_view directory, std::string_view file);
std::string missing_in_directory(std::string_view directory, std::string_view file);
std::string lost_file(std::string_view file, std::string_view why);
std::string shortened_file(std::string_view file, std::uint64_t bytes, std::uint64_t had);
// `change`: the number of the last existing change.
std::string shortened_log(std::string_view log, std::uint64_t change, std::uint64_t had);
std::string unreadable_table(std::string_view table, std::string_view why);
std::string missing_table(std::string_view table);

inline constexpr const char* kNoRandomNumbers =
    "The system gave no random numbers. Restart Magneto; if this persists, check /dev/urandom.";

// Failures of RocksDB.
std::string engine_failure(std::string_view action, std::string_view directory,
                           std::string_view why);
// `warning`: RocksDB's warning before the failure.
std::string engine_not_opened(std::string_view directory, std::string_view why,
                              std::string_view warning);
std::string manifest_not_opened(std::string_view file, std::string_view why);
std::string directory_not_listed(std::string_view directory, std::string_view why);

inline constexpr const char* kNoSpace = "No space left on device";
// Why writes are refused, in the answer to a health check.
inline constexpr const char* kDiskFull = "the disk of the data directory is full";
inline constexpr const char* kDiskFails =
    "the disk of the data directory is full, or cannot be written to";
inline constexpr const char* kLogBroken =
    "the log of the data directory is damaged; restart the server to repair it";
std::string space_not_allocated(std::string_view file, std::string_view why);

}  // namespace magneto::storage::messages
