#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "storage/encoding/key_encoding.h"
#include "storage/engine/engine.h"
#include "storage/model/key_condition.h"
#include "storage/table/table.h"

namespace magneto::storage {

// The position of an item among the items of a table, or of its entry among those of an index.
class EntryKey {
 public:
  // The position in `index`, or in the table if that is nullptr. `item` has the key attributes of
  // both, with values that are valid in keys.
  EntryKey(const Table& table, const Index* index, ItemView item);
  // From a whole key (keyspace.h).
  explicit EntryKey(std::string bytes) : bytes_(std::move(bytes)) {}

 private:
  friend class ReadRange;

  std::string bytes_;
};

// The range of a read: a run of a table's items or of an index's entries, in key order. Key bytes
// are ordered like the values, so ranges of one table or index can be compared and joined.
class ReadRange {
 public:
  // The entries that meet a condition on the key of `index`, or of the table if that is nullptr.
  static ReadRange matching(const Table& table, const Index* index, const KeyCondition& condition);
  // A segment of a parallel scan, by the partition hash. Segment 0 of 1 is everything.
  static ReadRange of_segment(const Table& table, const Index* index, std::uint32_t segment,
                              std::uint32_t total_segments);

  explicit ReadRange(KeyRange keys) : keys_(std::move(keys)) {}

  bool empty() const { return keys_.lower >= keys_.upper; }
  bool contains(const EntryKey& key) const {
    return key.bytes_ >= keys_.lower && key.bytes_ < keys_.upper;
  }
  bool begins_before(const ReadRange& other) const { return keys_.lower < other.keys_.lower; }
  bool ends_before(const ReadRange& other) const { return keys_.upper <= other.keys_.lower; }

  // Keeps the part after `key` in `direction`; never grows.
  void continue_after(EntryKey key, Direction direction);
  // Keeps the part that is also in `other`.
  void intersect(ReadRange other);
  // Moves the end to that of `other`, if that is later.
  void extend_to(ReadRange other);

  // Whole keys, or bounds of them.
  const KeyRange& keys() const { return keys_; }

 private:
  KeyRange keys_;
};

}  // namespace magneto::storage
