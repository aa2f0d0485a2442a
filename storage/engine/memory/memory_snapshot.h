#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>

#include "storage/engine/engine.h"
#include "storage/engine/memory/memory_tree.h"

namespace magneto::storage {

// A tree of the memory engine.
class EngineTree final : public Tree, public std::enable_shared_from_this<EngineTree> {
 public:
  EngineTree(ColumnFamily family, std::string prefix, std::shared_ptr<NodePool> pool)
      : Tree(family, std::move(prefix)), records_(this->prefix(), std::move(pool)) {}

  static EngineTree& of(Tree& tree) { return static_cast<EngineTree&>(tree); }
  static const EngineTree& of(const Tree& tree) { return static_cast<const EngineTree&>(tree); }

  MemoryTree& records() { return records_; }
  const MemoryTree& records() const { return records_; }

 private:
  MemoryTree records_;
};

// The snapshots of a memory engine. To take one is to draw a number. While any is held, who changes
// a tree keeps what was there for the newest, under the tree's lock (TreeHistory). A commit asks for
// the newest when it holds all its locks; so what it changes is, in all trees, either before the
// snapshot, whose readers wait for the locks, or after it, and kept. Thread-safe.
class MemorySnapshots {
 public:
  // The number of the newest while any is held, else 0: nothing is to be kept.
  std::uint64_t newest() const { return newest_.load(std::memory_order_acquire); }

  std::uint64_t take();
  void release(std::uint64_t snapshot);

  // Of a tree that is locked and has kept something for `snapshot`: sees that it goes in time.
  void note_history(EngineTree& tree, std::uint64_t snapshot);

 private:
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

  void drop_layers(const std::weak_ptr<EngineTree>& of, std::uint64_t oldest);

  std::atomic<std::uint64_t> newest_{0};
  std::atomic<std::uint64_t> oldest_{kNone};
  std::mutex mutex_;  // guards what follows; taken after the locks of trees
  std::uint64_t last_ = 0;
  std::set<std::uint64_t> held_;
  std::deque<std::weak_ptr<EngineTree>> with_history_;  // grows without moving what it has
};

// `snapshots` outlives it.
SnapshotPtr make_memory_snapshot(MemorySnapshots& snapshots);

}  // namespace magneto::storage
