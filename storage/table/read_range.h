#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "storage/encoding/key_encoding.h"
#include "storage/engine/engine.h"
#include "storage/model/key_condition.h"
#include "storage/table/table.h"

namespace magneto::storage {

// Where an item stands among those of a table, or its entry among those of an index.
class EntryKey {
 public:
  // In `index`, or in the table itself where that is nullptr. `item` has the key attributes of both,
  // with values that keys may have.
  EntryKey(const Table& table, const Index* index, ItemView item);
  // Of a whole key (keyspace.h).
  explicit EntryKey(std::string bytes) : bytes_(std::move(bytes)) {}

 private:
  friend class ReadRange;

  std::string bytes_;
};

// What a read walks: a run of a table's items or of an index's entries, in key order. As all key
// bytes order as the values do, runs of one table or index can be compared and joined.
class ReadRange {
 public:
  // What meets a condition on the key of `index`, or of the table where that is nullptr.
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

  // Leaves what comes after `key` in `direction`; never more than there was.
  void continue_after(EntryKey key, Direction direction);
  // Leaves what is in `other` too.
  void intersect(ReadRange other);
  // Ends where `other` does, if that is later.
  void extend_to(ReadRange other);

  // Whole keys, or bounds of them.
  const KeyRange& keys() const { return keys_; }

 private:
  KeyRange keys_;
};

}  // namespace magneto::storage
