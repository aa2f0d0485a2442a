#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "expressions/path_set.h"
#include "storage/model/attribute_value.h"
#include "storage/model/effort.h"

namespace magneto::expressions {

// The value at a bound path, absent when any step is missing or of another type. Costs a step for
// each member passed over on the way.
storage::AttributeView find(storage::ItemView item, PathView path, storage::Effort& effort);

// Many paths that are looked up together. However many they are, an item is walked once: costs a
// step for each member of it at most, beside what the paths themselves come to.
class PathTable {
 public:
  // Up to so many are as well looked up one after the other.
  static constexpr std::size_t kFew = 16;
  // Members that lookups one after the other may pass over before walking once is the better way.
  static constexpr std::uint64_t kFewSteps = 64;

  struct Entry {
    PathView path;
    std::uint32_t slot;  // where its value goes
  };
  // The same path may stand in several entries, and one may lie within another.
  PathTable(std::vector<Entry> entries, std::size_t slots);

  struct Values {
    std::vector<storage::AttributeView> by_slot;  // absent where nothing is
    std::vector<std::uint32_t> found;             // slots where something is, ascending
  };
  Values find_all(storage::ItemView item, storage::Effort& effort) const;

 private:
  std::vector<Entry> entries_;  // sorted by path_less
  std::size_t slots_;
};

}  // namespace magneto::expressions
