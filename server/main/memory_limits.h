#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "server/main/config.h"

namespace magneto::server::main {

// Bytes of memory this process may take: those of the machine, or of its control group (the limit
// of a container; cgroup v2 and v1) when that is less. `root` stands before the paths of the
// system, for tests. A few system calls.
std::uint64_t read_memory_limit(const std::string& root = {});

// What the memory is shared out to, in bytes.
struct MemoryPlan {
  std::uint64_t limit;          // of the process
  std::size_t held;             // ConnectionMemoryBudget
  std::size_t work;             // WorkMemory
  std::size_t calls;            // CallMemory, of functions
  std::uint64_t budget;         // DatabaseOptions::memory_budget
  std::size_t tokens;           // DatabaseOptions::token_memory
  std::size_t max_connections;  // at most
};

// As the configuration says, else so that it fits into the limit.
MemoryPlan plan_memory(const Config& config, std::uint64_t system_limit);

}  // namespace magneto::server::main
