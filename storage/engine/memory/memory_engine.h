#pragma once

#include <cstddef>
#include <memory>

#include "storage/engine/engine.h"
#include "storage/engine/key_locks.h"

namespace magneto::storage {

// Keeps everything in this process: one B-tree for each Tree, under its own shared lock.
// `lock_stripes`: as in KeyLocks.
std::unique_ptr<Engine> make_memory_engine(std::size_t lock_stripes = KeyLocks::kStripes);

}  // namespace magneto::storage
