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

// The state that an overlay starts from: another engine at one moment. Trees are those of that
// engine.
struct OverlayBase {
  std::shared_ptr<Engine> engine;  // outlives the snapshot
  SnapshotPtr snapshot;
};

// An engine that starts from a snapshot of another engine and keeps later changes in memory. A tree
// made by overlay_of() is the lower engine's tree with the changed records above it; a removed key
// is a tombstone. A tree made by open_tree() is new and has nothing below it, even if the lower
// engine has keys in its range. The cost does not depend on the amount of data below. Neither
// engine sees commits of the other. Reads wait for the disk if the snapshot's reads do.
class OverlayEngine final : public LockingEngine {
 public:
  explicit OverlayEngine(OverlayBase base);
  ~OverlayEngine() override;

  // Creates one level with the contents of `top`, a snapshot of an overlay, directly above the
  // engine below all overlays of the chain. It does not keep those overlays alive. Trees made by
  // overlay_of() share the records in which the overlays differ from that engine; they hold no
  // copies. Until end_merging(), each call of overlay_of() takes time for each of those records.
  static std::shared_ptr<OverlayEngine> merge(OverlayBase top);
  // Called after all trees of the chain have been passed to overlay_of().
  void end_merging();

  // The tree over this tree of the engine below. There is one for each, and it exists as long as
  // this engine. Two threads must not call this for the same tree at the same time.
  TreePtr overlay_of(const TreePtr& below);

  // Bytes of this engine's own records, with those of removed keys, without the nodes of trees and
  // without the data that snapshots keep.
  std::int64_t own_bytes() const { return own_bytes_->load(std::memory_order_relaxed); }

  // own_bytes() and the nodes.
  std::int64_t bytes() const { return own_bytes() + static_cast<std::int64_t>(pool_->bytes()); }
  // bytes() without the records that were merged at the beginning.
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

  // The state of merge().
  struct Chain {
    OverlayBase top;
    std::vector<std::uint64_t> snapshots;  // one for each level, from the top
  };

  void record_change();

  const OverlayBase base_;
  const std::shared_ptr<NodePool> pool_ = std::make_shared<NodePool>();
  const std::shared_ptr<TreeRegistry> new_trees_ = std::make_shared<TreeRegistry>();
  MemoryCommits commits_;
  // Sum over all trees, which may outlive this engine.
  const std::shared_ptr<std::atomic<std::int64_t>> own_bytes_ =
      std::make_shared<std::atomic<std::int64_t>>(0);
  std::atomic<bool> is_changed_{false};
  Chain chain_;                    // until end_merging()
  std::int64_t merged_bytes_ = 0;  // set by end_merging()
  std::mutex mutex_;               // guards the next members
  std::vector<TreePtr> trees_;     // over trees below
};

}  // namespace magneto::storage
