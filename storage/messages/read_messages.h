#pragma once

#include <cstddef>
#include <string>

// Reads that lag behind writes.
namespace magneto::storage::messages {

inline constexpr const char* kStaleProbability =
    "the probability of a stale read must be between 0 and 1";
inline std::string stale_versions(std::size_t most) {
  return "a read can be 1 to " + std::to_string(most) + " versions behind";
}

}  // namespace magneto::storage::messages
