#pragma once

#include <cstddef>

#include "server/main/config.h"
#include "server/main/memory_limits.h"

namespace magneto::server::main {

// Processors that this process may use.
std::size_t processor_count();

// I/O threads.
std::size_t thread_count(const Config& config);

// How many connections may be open; raises the soft descriptor limit as far as that needs.
std::size_t connection_limit(const Config& config, const MemoryPlan& memory);

}  // namespace magneto::server::main
