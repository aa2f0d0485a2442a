#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace magneto::storage {

// The time and region of the last write of an item in a global table; the greatest wins everywhere.
struct Stamp {
  std::uint64_t time = 0;  // microseconds since the epoch, later than that of the write before
  std::string region;
  friend auto operator<=>(const Stamp&, const Stamp&) = default;  // NOLINT(modernize-use-nullptr)
};

}  // namespace magneto::storage
