#include "storage/engine/memory_engine.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <tuple>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "storage/engine/node_pool.h"
#include "storage/engine/record.h"
#include "storage/engine/record_tree.h"

namespace magneto::storage {

namespace {

void release_record(void* record) { static_cast<Record*>(record)->release(); }

// The part of a tree between two whole keys, as keys without the tree's prefix.
struct Span {
  std::optional<std::string> lower;  // none: from the first
  std::optional<std::string> upper;  // none: to the last
  bool empty = false;

  Span(std::string_view prefix, std::string_view from, std::string_view to) {
    if (from.starts_with(prefix)) {
      if (from.size() > prefix.size()) lower = from.substr(prefix.size());
    } else if (from > prefix) {
      empty = true;
    }
    if (to.empty()) return;
    if (to.starts_with(prefix)) {
      upper = to.substr(prefix.size());
    } else if (to < prefix) {
      empty = true;
    }
    if (upper && (upper->empty() || (lower && *lower >= *upper))) empty = true;
  }
};

class MemoryTree final : public Tree {
 public:
  MemoryTree(Family family, std::string prefix, std::shared_ptr<NodePool> pool)
      : Tree(family, std::move(prefix)), pool_(std::move(pool)), records_(*pool_) {}

  std::string_view without_prefix(std::string_view key) const {
    return key.substr(prefix().size());
  }

  // The record, pinned, or nullptr.
  Record* find(std::string_view key) const {
    const Probe probe(without_prefix(key));
    std::shared_lock lock(mutex_);
    Record* record = records_.find(probe);
    if (record != nullptr) record->pin();
    return record;
  }

  // Pins at most `limit` records of `span` in `direction`, strictly after `after` unless nullptr.
  // Fewer than `limit` were left when it returns fewer.
  std::size_t pin_run(const Span& span, const Record* after, Direction direction, Record** records,
                      std::size_t limit) const {
    std::shared_lock lock(mutex_);
    const std::size_t count = direction == Direction::kForward
                                  ? collect_forward(span, after, records, limit)
                                  : collect_backward(span, after, records, limit);
    for (std::size_t i = 0; i < count; ++i) records[i]->pin();
    return count;
  }

  // The next two require the lock. They return the record replaced or removed, now the caller's to
  // release, or nullptr.
  Record* put(Record* record) { return records_.put(record); }
  Record* remove(std::string_view key) { return records_.remove(Probe(without_prefix(key))); }

  void clear() {
    std::lock_guard lock(mutex_);
    records_.clear();
  }

  std::shared_mutex& mutex() { return mutex_; }

 private:
  // The records are fetched into the cache here and touched only after the walk.
  std::size_t collect_forward(const Span& span, const Record* after, Record** records,
                              std::size_t limit) const {
    RecordTree::Position at = after != nullptr ? records_.first_above(Probe(after->key()), false)
                              : span.lower     ? records_.first_above(Probe(*span.lower), true)
                                               : records_.first();
    const std::optional<Probe> end = span.upper ? std::optional<Probe>(*span.upper) : std::nullopt;
    std::size_t count = 0;
    for (; count < limit && at; at = RecordTree::next(at)) {
      if (end && !is_below(at, *end)) break;
      __builtin_prefetch(at.record(), 1);
      records[count++] = at.record();
    }
    return count;
  }

  std::size_t collect_backward(const Span& span, const Record* after, Record** records,
                               std::size_t limit) const {
    RecordTree::Position at = after != nullptr ? records_.last_below(Probe(after->key()))
                              : span.upper     ? records_.last_below(Probe(*span.upper))
                                               : records_.last();
    const std::optional<Probe> end = span.lower ? std::optional<Probe>(*span.lower) : std::nullopt;
    std::size_t count = 0;
    for (; count < limit && at; at = RecordTree::previous(at)) {
      if (end && is_below(at, *end)) break;
      __builtin_prefetch(at.record(), 1);
      records[count++] = at.record();
    }
    return count;
  }

  static bool is_below(RecordTree::Position at, const Probe& probe) {
    return at.head() != probe.head ? at.head() < probe.head : at.record()->key() < probe.key;
  }

  const std::shared_ptr<NodePool> pool_;
  mutable std::shared_mutex mutex_;  // guards records_
  RecordTree records_;
};

// Reads ahead in chunks of pinned records, so that the tree is locked only while one is filled.
class MemoryCursor final : public Cursor {
 public:
  MemoryCursor(const MemoryTree& tree, Span span, Direction direction)
      : tree_(tree), span_(std::move(span)), direction_(direction), at_end_(span_.empty) {}
  ~MemoryCursor() override { release_chunk(); }

  bool next() override { return ++current_ < count_ || fill(); }

  std::string_view key() const override {
    key_.assign(tree_.prefix());
    key_.append(records_[current_]->key());
    return key_;
  }
  std::string_view value() const override { return records_[current_]->value(); }

 private:
  static constexpr std::size_t kFirstChunk = 8;
  static constexpr std::size_t kLargestChunk = 64;

  bool fill() {
    std::array<Record*, kLargestChunk> records;
    std::size_t found = 0;
    if (!at_end_) {
      const Record* last = count_ > 0 ? records_[count_ - 1] : nullptr;
      found = tree_.pin_run(span_, last, direction_, records.data(), chunk_);
      at_end_ = found < chunk_;
      chunk_ = std::min(chunk_ * 2, kLargestChunk);
    }
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
  const Span span_;
  const Direction direction_;
  bool at_end_;
  std::size_t chunk_ = kFirstChunk;
  std::size_t current_ = 0;
  std::size_t count_ = 0;
  std::array<Record*, kLargestChunk> records_;
  mutable std::string key_;  // of key(), built when asked for
};

// The trees in use, so that opening one again finds it. Outlives the engine for handles that do.
class TreeRegistry {
 public:
  using Range = std::tuple<Family, std::string, std::string, std::string>;

  std::mutex mutex;
  std::map<Range, std::weak_ptr<Tree>> trees;  // guarded by mutex
};

class MemoryEngine final : public Engine {
 public:
  bool is_durable() const override { return false; }

  TreePtr open_tree(Family family, std::string prefix, std::string lower,
                    std::string upper) override {
    TreeRegistry::Range range(family, prefix, std::move(lower), std::move(upper));
    std::lock_guard lock(registry_->mutex);
    std::weak_ptr<Tree>& known = registry_->trees[range];
    if (TreePtr tree = known.lock()) return tree;
    TreePtr tree(new MemoryTree(family, std::move(prefix), pool_),
                 Forget{registry_, std::move(range)});
    known = tree;
    return tree;
  }

  StoredValue get(const Tree& tree, std::string_view key) const override {
    Record* record = static_cast<const MemoryTree&>(tree).find(key);
    if (record == nullptr) return {};
    return {record->value(), record, release_record};
  }

  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction) const override {
    return std::make_unique<MemoryCursor>(static_cast<const MemoryTree&>(tree),
                                          Span(tree.prefix(), lower, upper), direction);
  }

  void commit(const WriteBatch& batch) override {
    const std::span<const WriteBatch::Operation> operations = batch.operations();
    absl::InlinedVector<Record*, 4> records;  // new ones before the change, replaced ones after
    for (const WriteBatch::Operation& operation : operations) {
      records.push_back(
          operation.is_delete
              ? nullptr
              : Record::create(tree_of(operation).without_prefix(operation.key), operation.value));
    }
    apply(operations, records.data());
    for (Record* replaced : records) {
      if (replaced != nullptr) replaced->release();
    }
  }

  void clear(Tree& tree) override { static_cast<MemoryTree&>(tree).clear(); }

  std::uint64_t disk_usage() const override { return 0; }

 private:
  // The last handle of a tree is gone: frees it and its place in the registry.
  struct Forget {
    std::shared_ptr<TreeRegistry> registry;
    TreeRegistry::Range range;

    void operator()(Tree* tree) const {
      {
        std::lock_guard lock(registry->mutex);
        const auto known = registry->trees.find(range);
        if (known != registry->trees.end() && known->second.expired()) {
          registry->trees.erase(known);
        }
      }
      delete tree;
    }
  };

  // Exclusive locks on all trees of a batch, taken in the order of their addresses.
  class TreeLocks {
   public:
    explicit TreeLocks(std::span<const WriteBatch::Operation> operations) {
      for (const WriteBatch::Operation& operation : operations) {
        trees_.push_back(&tree_of(operation));
      }
      std::sort(trees_.begin(), trees_.end(), std::less<>());
      trees_.erase(std::unique(trees_.begin(), trees_.end()), trees_.end());
      for (MemoryTree* tree : trees_) tree->mutex().lock();
    }
    ~TreeLocks() {
      for (MemoryTree* tree : trees_) tree->mutex().unlock();
    }
    TreeLocks(const TreeLocks&) = delete;
    TreeLocks& operator=(const TreeLocks&) = delete;

   private:
    absl::InlinedVector<MemoryTree*, 8> trees_;
  };

  static MemoryTree& tree_of(const WriteBatch::Operation& operation) {
    return static_cast<MemoryTree&>(*operation.tree);
  }

  static Record* apply(const WriteBatch::Operation& operation, Record* record) {
    return operation.is_delete ? tree_of(operation).remove(operation.key)
                               : tree_of(operation).put(record);
  }

  static void apply(std::span<const WriteBatch::Operation> operations, Record** records) {
    if (operations.size() == 1) {
      std::lock_guard lock(tree_of(operations[0]).mutex());
      records[0] = apply(operations[0], records[0]);
      return;
    }
    const TreeLocks locks(operations);
    for (std::size_t i = 0; i < operations.size(); ++i) {
      records[i] = apply(operations[i], records[i]);
    }
  }

  const std::shared_ptr<NodePool> pool_ = std::make_shared<NodePool>();
  const std::shared_ptr<TreeRegistry> registry_ = std::make_shared<TreeRegistry>();
};

}  // namespace

std::unique_ptr<Engine> make_memory_engine() { return std::make_unique<MemoryEngine>(); }

}  // namespace magneto::storage
