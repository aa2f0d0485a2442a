#pragma once

#include <absl/container/btree_map.h>
#include <absl/functional/function_ref.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/journal/journal_record.h"

namespace magneto::api {

// A partition key with many of the uses of its table or index, or with more units than a partition
// has.
struct HotKey {
  // AWS developer guide, "Best practices for designing and using partition keys effectively".
  static constexpr double kMostReadUnits = 3'000;
  static constexpr double kMostWriteUnits = 1'000;
  static constexpr double kLargeShare = 0.2;
  static constexpr std::uint64_t kLeastUses = 10;  // of a key with a large share
  static constexpr std::size_t kMostPerTable = 5;

  std::string key = {};  // a JSON object of texts
  std::string_view table;
  std::string_view index;
  std::uint64_t uses = 0;
  double share = 0;       // of the uses of the table or index, 0 to 1
  double read_units = 0;  // each second
  double write_units = 0;
  std::vector<std::size_t> patterns = {};  // those that use it, ascending

  bool exceeds_partition() const {
    return read_units > kMostReadUnits || write_units > kMostWriteUnits;
  }
};

// The uses of partition keys by access patterns. The records must outlive this object.
class KeyUses {
 public:
  // Adds the keys of an access of a record. `share`: the part of `use` that belongs to each key.
  void add(const JournalRecord& record, std::size_t access, std::size_t pattern,
           const JournalRecord::Use& use, double share);

  struct Pattern {
    std::string_view table;
    std::string_view index;
    double rate = 0;  // calls a second for each recorded call that was served
  };
  // The hot keys, by table, index and the greatest number of uses. `pattern_at` describes a pattern.
  std::vector<HotKey> find_hot(absl::FunctionRef<Pattern(std::size_t)> pattern_at) const;

 private:
  struct Use {
    std::uint64_t uses = 0;
    double read_units = 0;
    double write_units = 0;
  };
  // By pattern and the text of the partition key, an object without its last bracket.
  absl::btree_map<std::pair<std::size_t, std::string_view>, Use> uses_;
};

}  // namespace magneto::api
