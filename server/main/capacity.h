#pragma once

#include <cstddef>

#include "server/main/config.h"
#include "server/main/memory_limits.h"

namespace magneto::server::main {

// The number of I/O threads.
std::size_t thread_count(const Config& config);

// The maximum number of open connections. Raises the soft limit of descriptors as far as that
// requires.
std::size_t connection_limit(const Config& config, const MemoryPlan& memory);

}  // namespace magneto::server::main
