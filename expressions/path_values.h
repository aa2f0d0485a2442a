#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "expressions/path_set.h"
#include "storage/model/attribute_value.h"
#include "storage/model/effort.h"

namespace magneto::expressions {

// The value at a bound path; absent if any step is missing or of another type. Costs one step for
// each member that it passes.
storage::AttributeView find(storage::ItemView item, PathView path, storage::Effort& effort);

// Many paths that are looked up together. The item is walked once, however many paths there are:
// the cost is at most one step per member of the item, plus the steps of the paths themselves.
class PathTable {
 public:
  // Up to this number, individual lookups are just as fast.
  static constexpr std::size_t kFew = 16;
  // When individual lookups have passed this many members, a single walk is faster.
  static constexpr std::uint64_t kFewSteps = 64;

  struct Entry {
    PathView path;
    std::uint32_t slot;  // slot of its value
  };
  // A path may occur in several entries, and may lie within another path.
  PathTable(std::vector<Entry> entries, std::size_t slots);

  struct Values {
    std::vector<storage::AttributeView> by_slot;  // absent: there is no value
    std::vector<std::uint32_t> found;             // slots that have a value, ascending
  };
  Values find_all(storage::ItemView item, storage::Effort& effort) const;

 private:
  std::vector<Entry> entries_;  // sorted by path_less
  std::size_t slots_;
};

}  // namespace magneto::expressions
