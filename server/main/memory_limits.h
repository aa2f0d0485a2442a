#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "server/main/config.h"

namespace magneto::server::main {

// The memory in bytes that this process may use: that of the machine or, if less, of its control
// group (a container's limit; cgroup v2 and v1). `root` is a prefix for the system's paths, for
// tests. Takes a few system calls.
std::uint64_t read_memory_limit(const std::string& root = {});

// The shares of the memory, in bytes.
struct MemoryPlan {
  std::uint64_t limit;          // for the process
  std::size_t held;             // ConnectionMemoryBudget
  std::size_t work;             // WorkMemory
  std::size_t calls;            // CallMemory, for functions
  std::uint64_t budget;         // DatabaseOptions::memory_budget
  std::size_t tokens;           // DatabaseOptions::token_memory
  std::size_t max_connections;  // the maximum
};

// Shares the memory as configured, and otherwise so that everything fits into the limit.
MemoryPlan plan_memory(const Config& config, std::uint64_t system_limit);

}  // namespace magneto::server::main
