#pragma once

#include <memory>

#include "storage/engine/engine.h"

namespace magneto::storage {

// Keeps everything in this process: one B-tree for each Tree, under its own shared lock.
std::unique_ptr<Engine> make_memory_engine();

}  // namespace magneto::storage
