#include "storage/engine/memory/memory_snapshot.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>

namespace magneto::storage {
namespace {

// As MemoryCursor, of what a snapshot sees.
class SnapshotCursor final : public Cursor {
 public:
  SnapshotCursor(const MemoryTree& tree, std::string_view prefix, KeySpan span, Direction direction,
                 std::uint64_t snapshot)
      : tree_(tree),
        prefix_(prefix),
        span_(std::move(span)),
        direction_(direction),
        snapshot_(snapshot) {}
  ~SnapshotCursor() override { release_chunk(); }
  SnapshotCursor(const SnapshotCursor&) = delete;
  SnapshotCursor& operator=(const SnapshotCursor&) = delete;

  bool next() override { return ++current_ < count_ || fill(); }
  std::string_view key() const override {
    key_.assign(prefix_).append(records_[current_]->key());
    return key_;
  }
  std::string_view value() const override { return records_[current_]->value(); }

 private:
  static constexpr std::size_t kChunk = 64;

  bool fill() {
    if (at_end_) return false;
    std::array<Record*, kChunk> records;
    const Record* last = count_ > 0 ? records_[count_ - 1] : nullptr;
    const std::size_t found =
        tree_.pin_run_at(snapshot_, span_, last, direction_, records.data(), kChunk);
    at_end_ = found < kChunk;
    release_chunk();
    std::copy_n(records.begin(), found, records_.begin());
    count_ = found;
    current_ = 0;
    return count_ > 0;
  }
  void release_chunk() {
    for (std::size_t i = 0; i < count_; ++i) records_[i]->release();
  }

  const MemoryTree& tree_;
  const std::string_view prefix_;
  const KeySpan span_;
  const Direction direction_;
  const std::uint64_t snapshot_;
  bool at_end_ = false;
  std::size_t current_ = 0;
  std::size_t count_ = 0;
  std::array<Record*, kChunk> records_;
  mutable std::string key_;
};

class MemorySnapshot final : public Snapshot {
 public:
  explicit MemorySnapshot(MemorySnapshots& snapshots)
      : snapshots_(snapshots), number_(snapshots.take()) {}
  ~MemorySnapshot() override { snapshots_.release(number_); }
  MemorySnapshot(const MemorySnapshot&) = delete;
  MemorySnapshot& operator=(const MemorySnapshot&) = delete;

  PinnedValue get(const Tree& tree, std::string_view key) const override {
    return value_of(EngineTree::of(tree).records().find_at(number_, key));
  }
  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction) const override {
    return std::make_unique<SnapshotCursor>(EngineTree::of(tree).records(), tree.prefix(),
                                            KeySpan(tree.prefix(), lower, upper), direction,
                                            number_);
  }

 private:
  MemorySnapshots& snapshots_;
  const std::uint64_t number_;
};

}  // namespace

std::uint64_t MemorySnapshots::take() {
  const std::lock_guard lock(mutex_);
  held_.insert(++last_);
  oldest_.store(*held_.begin());
  newest_.store(last_);
  return last_;
}

// A snapshot between others needs its layer no more, but older ones do: see TreeHistory.
void MemorySnapshots::release(std::uint64_t snapshot) {
  {
    const std::lock_guard lock(mutex_);
    held_.erase(snapshot);
    oldest_.store(held_.empty() ? kNone : *held_.begin());
    if (held_.empty()) newest_.store(0);
  }
  // Again when another was released meanwhile, which did not see the trees that this one had.
  for (std::uint64_t oldest = 0; oldest != oldest_.load();) {
    oldest = oldest_.load();
    std::optional<std::deque<std::weak_ptr<EngineTree>>> trees;  // an empty deque allocates
    {
      const std::lock_guard lock(mutex_);
      if (!with_history_.empty()) trees.emplace().swap(with_history_);
    }
    if (!trees) continue;
    for (const auto& tree : *trees) drop_layers(tree, oldest);
  }
}

void MemorySnapshots::drop_layers(const std::weak_ptr<EngineTree>& of, std::uint64_t oldest) {
  const std::shared_ptr<EngineTree> tree = of.lock();
  if (tree == nullptr) return;
  std::deque<TreeHistory::Layer> layers;
  {
    const std::lock_guard lock(tree->records().mutex());
    TreeHistory* const history = tree->records().history();
    if (history == nullptr) return;
    layers = history->take_below(oldest);
    if (history->empty()) {
      tree->records().drop_history();
    } else {
      const std::lock_guard again(mutex_);
      with_history_.push_back(of);
    }
  }
  TreeHistory::free(layers);
}

void MemorySnapshots::note_history(EngineTree& tree, std::uint64_t snapshot) {
  std::uint64_t oldest = kNone;
  {
    const std::lock_guard lock(mutex_);
    with_history_.push_back(tree.weak_from_this());
    oldest = oldest_.load();
  }
  if (snapshot >= oldest) return;
  // It was released while the commit was under way: nobody else will look here.
  std::deque<TreeHistory::Layer> layers = tree.records().history()->take_below(oldest);
  TreeHistory::free(layers);
}

SnapshotPtr make_memory_snapshot(MemorySnapshots& snapshots) {
  return std::make_shared<MemorySnapshot>(snapshots);
}

}  // namespace magneto::storage
