#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "storage/engine/engine.h"

namespace magneto::storage {

struct RocksdbOptions {
  std::string directory;     // created if missing
  bool sync_writes = false;  // fsync before a commit returns; concurrent commits share it
  std::uint64_t memory_budget = 256ULL << 20;  // bytes of blocks and unflushed writes
};

// Opens or creates a database directory and locks it against other processes. Throws EngineError
// with one sentence that tells the user what to do: not a directory, not writable, in use by
// another process, not a Magneto directory, a newer format, damaged (names the file).
std::unique_ptr<Engine> open_rocksdb_engine(const RocksdbOptions& options);

}  // namespace magneto::storage
