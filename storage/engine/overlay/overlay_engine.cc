#include "storage/engine/overlay/overlay_engine.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "storage/engine/memory/memory_tree.h"
#include "storage/engine/overlay/overlay_cursor.h"

namespace magneto::storage {
namespace {

PinnedValue value_of_record(Record* pinned) {
  if (!pinned->is_tombstone()) return value_of(pinned);
  pinned->release();
  return {};
}

std::int64_t size_of(const Record* record) {
  return record == nullptr ? 0 : static_cast<std::int64_t>(record->size());
}

}  // namespace

// The records that differ from a tree below, and that tree.
class OverlayEngine::OverlayTree final : public EngineTree {
 public:
  using Bytes = std::shared_ptr<std::atomic<std::int64_t>>;

  // `below` is nullptr for a new tree. `all_bytes` counts the bytes of all trees.
  OverlayTree(ColumnFamily family, std::string prefix, std::shared_ptr<NodePool> pool,
              TreePtr below, Bytes all_bytes)
      : EngineTree(family, std::move(prefix), std::move(pool),
                   below == nullptr ? Removal::kOfRecord : Removal::kByTombstone),
        below_(std::move(below)),
        all_bytes_(std::move(all_bytes)) {}
  ~OverlayTree() override { forget_bytes(); }
  OverlayTree(const OverlayTree&) = delete;
  OverlayTree& operator=(const OverlayTree&) = delete;

  void count(std::int64_t bytes) {
    bytes_.fetch_add(bytes, std::memory_order_relaxed);
    all_bytes_->fetch_add(bytes, std::memory_order_relaxed);
  }
  // Called when the tree's records are gone.
  void forget_bytes() { all_bytes_->fetch_sub(bytes_.exchange(0), std::memory_order_relaxed); }

  // Takes the own records of a snapshot of a higher level.
  void merge(const MemoryTree& level, std::uint64_t snapshot);

  static OverlayTree& of(Tree& tree) { return static_cast<OverlayTree&>(tree); }
  static const OverlayTree& of(const Tree& tree) { return static_cast<const OverlayTree&>(tree); }

  // nullptr: reads see nothing below.
  const Tree* below() const { return is_cleared() ? nullptr : below_.get(); }
  // below() as seen by this engine's snapshot of that number.
  const Tree* below_at(std::uint64_t snapshot) const { return tree_below_at(snapshot).get(); }
  const TreePtr& tree_below_at(std::uint64_t snapshot) const {
    static const TreePtr nothing;
    return is_cleared() && snapshot > cleared_after_ ? nothing : below_;
  }
  // Hides the tree below, except from snapshots up to that number. Further calls change nothing.
  void hide_below(std::uint64_t newest_snapshot) {
    if (is_cleared()) return;
    cleared_after_ = newest_snapshot;
    is_cleared_.store(true, std::memory_order_release);
  }

 private:
  void merge_record(std::string_view key, Record* record);
  bool is_cleared() const { return is_cleared_.load(std::memory_order_acquire); }

  const TreePtr below_;
  const Bytes all_bytes_;
  std::atomic<std::int64_t> bytes_{0};
  std::atomic<bool> is_cleared_{false};
  std::uint64_t cleared_after_ = 0;  // written before is_cleared_
};

void OverlayEngine::OverlayTree::merge(const MemoryTree& level, std::uint64_t snapshot) {
  std::array<KeyedRecord, MemoryCursor::kLargestChunk> run;
  const KeySpan all(prefix(), {}, {});
  std::string key(prefix());
  OptionalKey last;
  std::size_t count = 0;
  do {
    count = level.pin_run_at(snapshot, all, last, Direction::kForward, run.data(), run.size());
    const std::lock_guard lock(records().mutex());
    for (std::size_t i = 0; i < count; ++i) {
      key.resize(prefix().size());
      run[i].append_key(key);
      merge_record(key, run[i].record);
    }
    last = std::string_view(key).substr(prefix().size());
  } while (count == run.size());
}

// Takes over the caller's reference. If there is no tree below, a removed key needs no tombstone.
void OverlayEngine::OverlayTree::merge_record(std::string_view key, Record* record) {
  Record* old = nullptr;
  if (record->is_tombstone() && below_ == nullptr) {
    old = records().remove(key);
    record->release();
  } else {
    count(size_of(record));
    old = records().put(key, record);
  }
  if (old == nullptr) return;
  count(-size_of(old));
  old->release();
}

class OverlayEngine::OverlaySnapshot final : public Snapshot {
 public:
  OverlaySnapshot(MemorySnapshots& snapshots, const Snapshot& below)
      : below_(below), own_(snapshots), number_(own_.number()) {}

  std::uint64_t number() const { return number_; }

  using Snapshot::get;
  using Snapshot::scan;
  PinnedValue get(const Tree& tree, std::string_view key) const override {
    const OverlayTree& overlay = OverlayTree::of(tree);
    if (Record* record = overlay.records().find_at(number_, key)) return value_of_record(record);
    const Tree* below = overlay.below_at(number_);
    return below == nullptr ? PinnedValue() : below_.get(*below, key);
  }

  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction, ScanHint hint) const override {
    const OverlayTree& overlay = OverlayTree::of(tree);
    auto own = make_snapshot_cursor(overlay.records(), tree.prefix(),
                                    KeySpan(tree.prefix(), lower, upper), direction, number_, hint);
    const Tree* below = overlay.below_at(number_);
    if (below == nullptr) return make_overlay_cursor(std::move(own));
    return make_overlay_cursor(std::move(own), below_.scan(*below, lower, upper, direction, hint),
                               direction);
  }

 private:
  const Snapshot& below_;
  const HeldMemorySnapshot own_;
  const std::uint64_t number_;
};

OverlayEngine::OverlayEngine(OverlayBase base)
    : LockingEngine(KeyLocks::kFewStripes), base_(std::move(base)) {}

OverlayEngine::~OverlayEngine() = default;

std::shared_ptr<OverlayEngine> OverlayEngine::merge(OverlayBase top) {
  Chain chain{top, {}};
  OverlayBase base = std::move(top);
  while (const auto* level = dynamic_cast<const OverlayEngine*>(base.engine.get())) {
    chain.snapshots.push_back(static_cast<const OverlaySnapshot&>(*base.snapshot).number());
    base = OverlayBase(level->base_);
  }
  auto merged = std::make_shared<OverlayEngine>(std::move(base));
  merged->chain_ = std::move(chain);
  return merged;
}

void OverlayEngine::end_merging() {
  chain_ = {};
  merged_bytes_ = bytes();
}

TreePtr OverlayEngine::overlay_of(const TreePtr& below) {
  struct Level {
    const MemoryTree* records;
    std::uint64_t snapshot;
  };
  std::vector<Level> levels;
  TreePtr bottom = below;
  for (const std::uint64_t snapshot : chain_.snapshots) {
    if (bottom == nullptr) break;
    const OverlayTree& overlay = OverlayTree::of(*bottom);
    levels.push_back({&overlay.records(), snapshot});
    bottom = TreePtr(overlay.tree_below_at(snapshot));
  }
  auto tree = std::make_shared<OverlayTree>(below->family(), below->prefix(), pool_,
                                            std::move(bottom), own_bytes_);
  std::for_each(levels.rbegin(), levels.rend(),
                [&](const Level& level) { tree->merge(*level.records, level.snapshot); });
  const std::lock_guard lock(mutex_);
  trees_.push_back(tree);
  return tree;
}

TreePtr OverlayEngine::open_tree(ColumnFamily family, std::string prefix, std::string lower,
                                 std::string upper) {
  return new_trees_->open({family, prefix, std::move(lower), std::move(upper)}, [&] {
    return new OverlayTree(family, std::move(prefix), pool_, nullptr, own_bytes_);
  });
}

PinnedValue OverlayEngine::get(const Tree& tree, std::string_view key) const {
  const OverlayTree& overlay = OverlayTree::of(tree);
  if (Record* record = *overlay.records().find(key)) return value_of_record(record);
  const Tree* below = overlay.below();
  return below == nullptr ? PinnedValue() : base_.snapshot->get(*below, key);
}

// The cursor need not see concurrent writes, so a tree without records is not walked.
std::unique_ptr<Cursor> OverlayEngine::scan(const Tree& tree, std::string_view lower,
                                            std::string_view upper, Direction direction,
                                            ScanHint hint) const {
  const OverlayTree& overlay = OverlayTree::of(tree);
  const Tree* below = overlay.below();
  const bool is_below_alone = below != nullptr && overlay.records().is_empty();
  if (is_below_alone) return base_.snapshot->scan(*below, lower, upper, direction, hint);
  auto own = std::make_unique<MemoryCursor>(overlay.records(), tree.prefix(),
                                            KeySpan(tree.prefix(), lower, upper), direction, hint);
  if (below == nullptr) return make_overlay_cursor(std::move(own));
  return make_overlay_cursor(
      std::move(own), base_.snapshot->scan(*below, lower, upper, direction, hint), direction);
}

SnapshotPtr OverlayEngine::snapshot() {
  return std::make_shared<OverlaySnapshot>(commits_.snapshots(), *base_.snapshot);
}

bool OverlayEngine::changed_since(const Snapshot& snapshot) const {
  return commits_.snapshots().changed_since(static_cast<const OverlaySnapshot&>(snapshot).number());
}

void OverlayEngine::record_change() {
  if (!is_changed()) is_changed_.store(true, std::memory_order_relaxed);
}

void OverlayEngine::commit(const WriteBatch& batch) {
  record_change();
  MemoryCommits::Records records = MemoryCommits::make_records(batch);
  absl::InlinedVector<std::int64_t, 4> bytes;
  for (const Record* record : records) bytes.push_back(size_of(record));
  commits_.apply(batch, records);
  for (std::size_t i = 0; i < records.size(); ++i) {
    OverlayTree::of(*batch.operations()[i].tree).count(bytes[i] - size_of(records[i]));
    if (records[i] != nullptr) records[i]->release();
  }
}

void OverlayEngine::clear(Tree& tree) {
  record_change();
  OverlayTree& overlay = OverlayTree::of(tree);
  overlay.hide_below(commits_.snapshots().last());
  commits_.clear(overlay);
  overlay.forget_bytes();
}

EngineStatistics OverlayEngine::statistics() const {
  return {.node_bytes = pool_->bytes(), .cache = {}, .disk = {}};
}

}  // namespace magneto::storage
