#include "storage/engine/memory/memory_snapshot.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace magneto::storage {
namespace {

// A cursor like MemoryCursor, over the contents that a snapshot sees.
class SnapshotCursor final : public RecordCursor {
 public:
  SnapshotCursor(const MemoryTree& tree, std::string_view prefix, KeySpan span, Direction direction,
                 std::uint64_t snapshot, ScanHint hint)
      : tree_(tree),
        prefix_(prefix),
        span_(std::move(span)),
        direction_(direction),
        snapshot_(snapshot),
        chunk_(MemoryCursor::first_chunk(hint)) {}
  ~SnapshotCursor() override { release_chunk(); }
  SnapshotCursor(const SnapshotCursor&) = delete;
  SnapshotCursor& operator=(const SnapshotCursor&) = delete;

  bool next() override { return ++current_ < count_ || fill(); }
  std::string_view key() const override {
    key_.assign(prefix_);
    records_[current_].append_key(key_);
    return key_;
  }
  std::string_view value() const override { return records_[current_].record->value(); }
  bool is_tombstone() const override { return records_[current_].record->is_tombstone(); }

 private:
  static constexpr std::size_t kChunk = MemoryCursor::kLargestChunk;

  bool fill() {
    if (at_end_) return false;
    std::array<KeyedRecord, kChunk> records;
    OptionalKey last;
    if (count_ > 0) {
      current_ = count_ - 1;
      last = key().substr(prefix_.size());
    }
    const std::size_t found =
        tree_.pin_run_at(snapshot_, span_, last, direction_, records.data(), chunk_);
    at_end_ = found < chunk_;
    chunk_ = std::min(2 * chunk_, kChunk);
    release_chunk();
    std::copy_n(records.begin(), found, records_.begin());
    count_ = found;
    current_ = 0;
    return count_ > 0;
  }
  void release_chunk() {
    for (std::size_t i = 0; i < count_; ++i) records_[i].record->release();
  }

  const MemoryTree& tree_;
  const std::string_view prefix_;
  const KeySpan span_;
  const Direction direction_;
  const std::uint64_t snapshot_;
  bool at_end_ = false;
  std::size_t chunk_;
  std::size_t current_ = 0;
  std::size_t count_ = 0;
  std::array<KeyedRecord, kChunk> records_;
  mutable std::string key_;
};

class MemorySnapshot final : public Snapshot {
 public:
  explicit MemorySnapshot(MemorySnapshots& snapshots) : held_(snapshots) {}

  std::uint64_t number() const { return held_.number(); }

  using Snapshot::get;
  using Snapshot::scan;
  PinnedValue get(const Tree& tree, std::string_view key) const override {
    return value_of(EngineTree::of(tree).records().find_at(number(), key));
  }
  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction, ScanHint hint) const override {
    return make_snapshot_cursor(EngineTree::of(tree).records(), tree.prefix(),
                                KeySpan(tree.prefix(), lower, upper), direction, number(), hint);
  }

 private:
  const HeldMemorySnapshot held_;
};

}  // namespace

std::uint64_t MemorySnapshots::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

std::uint64_t MemorySnapshots::take() {
  const std::lock_guard lock(mutex_);
  held_.try_emplace(++last_);
  changed_.store(false);
  newest_.store(last_);
  return last_;
}

void MemorySnapshots::release(std::uint64_t snapshot) {
  std::map<std::uint64_t, Trees>::node_type released;
  {
    const std::lock_guard lock(mutex_);
    released = held_.extract(snapshot);
    const std::uint64_t newest = held_.empty() ? 0 : held_.rbegin()->first;
    if (newest < snapshot) {
      changed_.store(true);  // possibly, since that snapshot
      newest_.store(newest);
    }
  }
  for (const std::weak_ptr<EngineTree>& one : released.mapped()) {
    const std::shared_ptr<EngineTree> tree = one.lock();
    if (tree == nullptr) continue;
    TreeHistory::Layers unneeded;
    {
      const std::lock_guard lock(tree->records().mutex());
      retire(*tree, snapshot, unneeded);
    }
    TreeHistory::destroy(unneeded);
  }
}

// Requires the lock of the tree. If this gives an older snapshot a layer, that snapshot has not
// been released yet, or its release will find the tree.
void MemorySnapshots::retire(EngineTree& tree, std::uint64_t snapshot,
                             TreeHistory::Layers& unneeded) {
  TreeHistory* const history = tree.records().history();
  if (history == nullptr || !history->has_layer(snapshot)) return;
  history->retire(snapshot, heir_of(tree, *history, snapshot), unneeded);
  if (history->empty()) tree.records().drop_history();
}

std::uint64_t MemorySnapshots::heir_of(EngineTree& tree, const TreeHistory& history,
                                       std::uint64_t snapshot) {
  const std::lock_guard lock(mutex_);
  const auto above = held_.lower_bound(snapshot);
  if (above == held_.begin()) return 0;
  const auto older = std::prev(above);
  const std::uint64_t heir = history.heir_of(snapshot, older->first);
  if (!history.has_layer(heir)) older->second.push_back(tree.weak_from_this());
  return heir;
}

void MemorySnapshots::record_layer(EngineTree& tree, std::uint64_t snapshot) {
  {
    const std::lock_guard lock(mutex_);
    const auto held = held_.find(snapshot);
    if (held != held_.end()) {
      held->second.push_back(tree.weak_from_this());
      return;
    }
  }
  // The snapshot was released during the commit: no other thread will clean up here.
  TreeHistory::Layers unneeded;
  retire(tree, snapshot, unneeded);
  TreeHistory::destroy(unneeded);
}

std::unique_ptr<RecordCursor> make_snapshot_cursor(const MemoryTree& tree, std::string_view prefix,
                                                   KeySpan span, Direction direction,
                                                   std::uint64_t snapshot, ScanHint hint) {
  return std::make_unique<SnapshotCursor>(tree, prefix, std::move(span), direction, snapshot, hint);
}

bool changed_since_memory_snapshot(const MemorySnapshots& snapshots, const Snapshot& snapshot) {
  return snapshots.changed_since(static_cast<const MemorySnapshot&>(snapshot).number());
}

SnapshotPtr make_memory_snapshot(MemorySnapshots& snapshots) {
  return std::make_shared<MemorySnapshot>(snapshots);
}

}  // namespace magneto::storage
