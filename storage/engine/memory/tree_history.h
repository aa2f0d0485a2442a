#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

  using Changed = std::map<std::string, Record*, std::less<>>;  // nullptr: there was none
  struct Layer {
    Changed changed;
    std::optional<RecordTree> rest;  // of keys not in `changed`, once the tree was emptied
  };

  // A key changes while `snapshot` is the newest; `old` is what was there, nullptr for nothing. True
  // when that made a layer.
  bool add(std::uint64_t snapshot, std::string_view key, Record* old);
  // All keys go; `contents` are what was there.
  bool add_all(std::uint64_t snapshot, RecordTree contents);

  bool has_layer(std::uint64_t snapshot) const { return layers_.contains(snapshot); }
  // Into which layer that of `snapshot`, which is no longer held, is to go, where `older` is the
  // newest below it that is, not 0: the next lower one there is, which may be of one that was
  // released just now and is still to be retired itself; else that of `older`, a new one.
  std::uint64_t heir_of(std::uint64_t snapshot, std::uint64_t older) const;
  // The layer goes there; 0: away. What nobody needs any more is added to `unneeded`, to be freed
  // without the lock.
  using Layers = std::vector<Layer>;
  void retire(std::uint64_t snapshot, std::uint64_t heir, Layers& unneeded);
  static void destroy(Layers& layers);

  // What a snapshot sees: a record under a key, or nullptr; and of a run the first records at most
  // `limit`, as MemoryTree::pin_run. `current` is the tree. Pins nothing.
  Record* find(std::uint64_t snapshot, const RecordTree& current, std::string_view key) const;
  std::size_t collect(std::uint64_t snapshot, const RecordTree& current, const KeySpan& span,
                      const Record* after, Direction direction, Record** records,
                      std::size_t limit) const;

 private:
  static void inherit(Layer& into, Layer& from);

  std::map<std::uint64_t, Layer> layers_;  // by number
};

}  // namespace magneto::storage
