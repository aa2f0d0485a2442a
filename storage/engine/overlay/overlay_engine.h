#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "storage/engine/locking_engine.h"
#include "storage/engine/memory/memory_commits.h"
#include "storage/engine/memory/node_pool.h"
#include "storage/engine/tree_registry.h"

namespace magneto::storage {

// What an overlay begins as: an engine's state at one moment. Trees are the engine's.
struct OverlayBase {
  std::shared_ptr<Engine> engine;  // outlives the snapshot
  SnapshotPtr snapshot;
};

// An engine that begins as what a snapshot of another one sees, and keeps what is changed from then
// on in memory: a tree of it made by overlay_of() is the other's tree under the records that differ, a
// removed key being a record that says so. Trees made by open_tree() are new ones, without anything
// below, whatever there is under their range in the other engine. Costs the same however much there
// is below. Nothing that one of both engines commits is seen by the other. Reads wait for the disk
// where the snapshot's do.
class OverlayEngine final : public LockingEngine {
 public:
  explicit OverlayEngine(OverlayBase base);
  ~OverlayEngine() override;

  // What `top` sees, where that is a snapshot of an overlay: one level above what lies below all
  // overlays of the chain, which it does not keep alive. Trees made by overlay_of() hold the records by which
  // those levels differ, not copies of them. Until end_merging(), each call takes time for each of them.
  static std::shared_ptr<OverlayEngine> merge(OverlayBase top);
  // All trees of the chain have been given to overlay_of().
  void end_merging();

  // The tree that begins as this one of the engine below: one for each, which lives as long as this.
  // Not to be called for the same tree by two threads at once.
  TreePtr overlay_of(const TreePtr& below);

  // Bytes that records take of their own, with those of removed keys and without the nodes of trees
  // and what snapshots keep.
  std::int64_t own_bytes() const { return own_bytes_->load(std::memory_order_relaxed); }

  // With the nodes.
  std::int64_t bytes() const { return own_bytes() + static_cast<std::int64_t>(pool_->bytes()); }
  // The same without what was merged at the beginning.
  std::int64_t added_bytes() const { return bytes() - merged_bytes_; }
  // Whether anything was ever committed or cleared here.
  bool is_changed() const { return is_changed_.load(std::memory_order_relaxed); }

  bool is_durable() const override { return false; }
  bool commit_waits() const override { return false; }
  TreePtr open_tree(ColumnFamily family, std::string prefix, std::string lower,
                    std::string upper) override;
  PinnedValue get(const Tree& tree, std::string_view key) const override;
  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction, ScanHint hint) const override;
  using Engine::get;
  using Engine::scan;
  SnapshotPtr snapshot() override;
  bool changed_since(const Snapshot& snapshot) const override;
  bool keeps_replaced() const override { return true; }
  void commit(const WriteBatch& batch) override;
  void clear(Tree& tree) override;
  void require_format(int /*format*/) override {}
  std::uint64_t estimate_size(const Tree& /*tree*/) const override { return 0; }
  std::string describe_refusal() override { return {}; }
  EngineStatistics statistics() const override;

 private:
  class OverlayTree;
  class OverlaySnapshot;

  // What merge() is at.
  struct Chain {
    OverlayBase top;
    std::vector<std::uint64_t> snapshots;  // of each level, from the top
  };

  void note_change();

  const OverlayBase base_;
  const std::shared_ptr<NodePool> pool_ = std::make_shared<NodePool>();
  const std::shared_ptr<TreeRegistry> new_trees_ = std::make_shared<TreeRegistry>();
  MemoryCommits commits_;
  // Of all trees together, which may outlive this.
  const std::shared_ptr<std::atomic<std::int64_t>> own_bytes_ =
      std::make_shared<std::atomic<std::int64_t>>(0);
  std::atomic<bool> is_changed_{false};
  Chain chain_;                    // until end_merging()
  std::int64_t merged_bytes_ = 0;  // set by it
  std::mutex mutex_;               // guards what follows
  std::vector<TreePtr> trees_;     // over trees below
};

}  // namespace magneto::storage
