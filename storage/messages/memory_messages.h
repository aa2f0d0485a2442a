#pragma once

#include <string_view>

// Memory that is full or cannot be allocated.
namespace magneto::storage::messages {

inline constexpr const char* kMemoryFull =
    "The server's memory is full: delete items or tables, or start the server with a larger --memory-limit-mb, or with --data-dir to keep data on disk.";

inline constexpr const char* kForkFull =
    "The fork has reached the limit of its own data: drop it and fork again.";

inline constexpr const char* kNoMemory = "not enough memory";
// The last line of a process that ends for this reason.
inline constexpr std::string_view kNoMemoryInRocksdb =
    "magneto: no memory for 30 seconds inside RocksDB\n";

}  // namespace magneto::storage::messages
