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

// The contents that snapshots see of a tree that has changed since they were taken. Each snapshot's
// number may have a layer: the records that later changes replaced, for each key the first one. To
// read a key, a snapshot uses the first layer with its number or a greater one that has the key,
// otherwise the tree. The tree's lock guards it.
class TreeHistory {
 public:
  TreeHistory() = default;
  ~TreeHistory();
  TreeHistory(const TreeHistory&) = delete;
  TreeHistory& operator=(const TreeHistory&) = delete;

  bool empty() const { return layers_.empty(); }

  using Changed = std::map<std::string, Record*, std::less<>>;  // nullptr: there was no record
  struct Layer {
    Changed changed;
    std::optional<RecordTree> rest;  // of keys not in `changed`, after the tree was cleared
  };

  // Called when a key changes while `snapshot` is the newest; `old` is its old record, nullptr if
  // there was none. Returns whether this made a layer.
  bool add(std::uint64_t snapshot, std::string_view key, Record* old);
  // Like add() when all keys are removed; `contents` are the old records.
  bool add_all(std::uint64_t snapshot, RecordTree contents);

  bool has_layer(std::uint64_t snapshot) const { return layers_.contains(snapshot); }
  // The layer that inherits the layer of `snapshot`, which is no longer held. `older` is the newest
  // snapshot below it that is held, not 0. The result is the next lower layer, whose snapshot may
  // have just been released and still be waiting to be retired itself. If there is none, the result
  // is a new layer for `older`.
  std::uint64_t heir_of(std::uint64_t snapshot, std::uint64_t older) const;
  // Moves the layer to `heir`; 0 removes it. Adds layers that are no longer needed to `unneeded`,
  // to be freed without the lock.
  using Layers = std::vector<Layer>;
  void retire(std::uint64_t snapshot, std::uint64_t heir, Layers& unneeded);
  static void destroy(Layers& layers);

  // The record that a snapshot sees under a key, or nullptr; and the first records of a span, at
  // most `limit`, as in MemoryTree::pin_run(). `current` is the tree. Pins nothing.
  Record* find(std::uint64_t snapshot, const RecordTree& current, std::string_view key) const;
  std::size_t collect(std::uint64_t snapshot, const RecordTree& current, const KeySpan& span,
                      OptionalKey after, Direction direction, KeyedRecord* records,
                      std::size_t limit) const;

 private:
  static void inherit(Layer& into, Layer& from);

  std::map<std::uint64_t, Layer> layers_;  // by number
};

}  // namespace magneto::storage
