#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>

#include "storage/engine/engine.h"
#include "storage/engine/memory/memory_tree.h"

namespace magneto::storage {

// A tree of the memory engine, or of an engine that keeps the differences from a tree below in
// memory.
class EngineTree : public Tree, public std::enable_shared_from_this<EngineTree> {
 public:
  enum class Removal : std::uint8_t { kOfRecord, kByTombstone };

  EngineTree(ColumnFamily family, std::string prefix, std::shared_ptr<NodePool> pool,
             Removal removal = Removal::kOfRecord)
      : Tree(family, std::move(prefix)),
        removal_(removal),
        records_(this->prefix(), std::move(pool)) {}

  // How a key is removed from the tree.
  Removal removal() const { return removal_; }

  static EngineTree& of(Tree& tree) { return static_cast<EngineTree&>(tree); }
  static const EngineTree& of(const Tree& tree) { return static_cast<const EngineTree&>(tree); }

  MemoryTree& records() { return records_; }
  const MemoryTree& records() const { return records_; }

 private:
  const Removal removal_;
  MemoryTree records_;
};

// The snapshots of a memory engine. Taking one only draws a number. While any is held, a writer
// that changes a tree keeps the old contents for the newest snapshot, under the tree's lock
// (TreeHistory). A commit reads the newest number when it holds all its locks. In all trees its
// changes are therefore either before the snapshot, whose readers wait for the locks, or after it,
// with the old contents kept. Thread-safe.
class MemorySnapshots {
 public:
  // The number of the newest snapshot while any is held, otherwise 0: nothing needs to be kept.
  std::uint64_t newest() const { return newest_.load(std::memory_order_acquire); }

  std::uint64_t take();
  // The number of the newest snapshot that was ever taken, or 0.
  std::uint64_t last() const;
  void release(std::uint64_t snapshot);

  // Called when a commit changes something while a snapshot is held.
  void record_change() {
    if (!changed_.load(std::memory_order_relaxed)) changed_.store(true, std::memory_order_relaxed);
  }
  // Whether a commit has, or may have, changed something since that snapshot. Not reliable during a
  // commit.
  bool changed_since(std::uint64_t snapshot) const {
    return newest() != snapshot || changed_.load(std::memory_order_relaxed);
  }

  // Called for a locked tree that has made a layer for `snapshot`: makes sure that the layer is
  // removed with the snapshot.
  void record_layer(EngineTree& tree, std::uint64_t snapshot);

 private:
  // The trees with a layer for a snapshot. A deque grows without moving its elements.
  using Trees = std::deque<std::weak_ptr<EngineTree>>;

  void retire(EngineTree& tree, std::uint64_t snapshot, TreeHistory::Layers& unneeded);
  std::uint64_t heir_of(EngineTree& tree, const TreeHistory& history, std::uint64_t snapshot);

  std::atomic<std::uint64_t> newest_{0};
  std::atomic<bool> changed_{false};  // since the newest was taken
  mutable std::mutex mutex_;          // guards the next members; taken after the locks of trees
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Trees> held_;
};

// Holds a snapshot during its lifetime. `snapshots` must outlive it.
class HeldMemorySnapshot {
 public:
  explicit HeldMemorySnapshot(MemorySnapshots& snapshots)
      : snapshots_(snapshots), number_(snapshots.take()) {}
  ~HeldMemorySnapshot() { snapshots_.release(number_); }
  HeldMemorySnapshot(const HeldMemorySnapshot&) = delete;
  HeldMemorySnapshot& operator=(const HeldMemorySnapshot&) = delete;

  std::uint64_t number() const { return number_; }

 private:
  MemorySnapshots& snapshots_;
  const std::uint64_t number_;
};

// `snapshots` must outlive it.
SnapshotPtr make_memory_snapshot(MemorySnapshots& snapshots);
// MemorySnapshots::changed_since() for a snapshot made by make_memory_snapshot().
bool changed_since_memory_snapshot(const MemorySnapshots& snapshots, const Snapshot& snapshot);

// A cursor like MemoryCursor, over a tree as the snapshot of that number sees it.
std::unique_ptr<RecordCursor> make_snapshot_cursor(const MemoryTree& tree, std::string_view prefix,
                                                   KeySpan span, Direction direction,
                                                   std::uint64_t snapshot, ScanHint hint);

}  // namespace magneto::storage
