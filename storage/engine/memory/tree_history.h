#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "storage/engine/engine.h"
#include "storage/engine/memory/key_span.h"
#include "storage/engine/memory/record.h"
#include "storage/engine/memory/record_tree.h"

namespace magneto::storage {

// What snapshots see of a tree that has changed since they were taken: in a layer for each number of
// a snapshot the records that later changes replaced, each key's first. What a snapshot sees of a
// key is in the first layer of its number or a greater one that has the key, else in the tree. The
// tree's lock guards it.
class TreeHistory {
 public:
  TreeHistory() = default;
  ~TreeHistory();
  TreeHistory(const TreeHistory&) = delete;
  TreeHistory& operator=(const TreeHistory&) = delete;

  bool empty() const { return layers_.empty(); }

  // A key changes while `snapshot` is the newest; `old` is what was there, nullptr for nothing.
  void add(std::uint64_t snapshot, std::string_view key, Record* old);
  // All keys go; `contents` are what was there.
  void add_all(std::uint64_t snapshot, RecordTree contents);

  // Takes out the layers that no snapshot from `oldest` on needs: to be freed without the lock.
  struct Layer {
    std::uint64_t snapshot;
    std::map<std::string, Record*, std::less<>> changed;  // nullptr: there was none
    std::optional<RecordTree> rest;  // of keys not in `changed`, once the tree was emptied
  };
  std::deque<Layer> take_below(std::uint64_t oldest);
  static void free(std::deque<Layer>& layers);

  // What a snapshot sees: a record under a key, or nullptr; and of a run the first records at most
  // `limit`, as MemoryTree::pin_run. `current` is the tree. Pins nothing.
  Record* find(std::uint64_t snapshot, const RecordTree& current, std::string_view key) const;
  std::size_t collect(std::uint64_t snapshot, const RecordTree& current, const KeySpan& span,
                      const Record* after, Direction direction, Record** records,
                      std::size_t limit) const;

 private:
  Layer& layer(std::uint64_t snapshot);

  std::deque<Layer> layers_;  // ascending by number
};

}  // namespace magneto::storage
