#include "tests/storage/shared_store.h"

#include <algorithm>
#include <span>
#include <vector>

#include "storage/engine/locking_engine.h"

namespace magneto::storage {

class SharedStore::Scope final : public WriteScope {
 public:
  Scope(SharedStore& store, WriteScopePtr locks) : store_(store), locks_(std::move(locks)) {}

  void get(std::span<const KeyRead> reads, std::span<PinnedValue> values) override {
    const std::lock_guard lock(store_.mutex_);
    store_.memory_->get(reads, values);
    for (const KeyRead& read : reads) {
      seen_.push_back({read.tree, std::string(read.key), store_.version_of(*read.tree, read.key)});
    }
  }

  CommitResult commit(const WriteBatch& batch) override {
    if (const auto call = store_.take_call()) call();
    const auto is_unchanged = [this](const Seen& seen) {
      return store_.version_of(*seen.tree, seen.key) == seen.version;
    };
    const std::lock_guard lock(store_.mutex_);
    const bool compares = store_.conflicts_ == Conflicts::kNoticed;
    if (compares && !std::ranges::all_of(seen_, is_unchanged)) {
      ++store_.conflict_count_;
      return CommitResult::kConflict;
    }
    store_.commit(batch);
    return CommitResult::kCommitted;
  }

 private:
  struct Seen {
    const Tree* tree;
    std::string key;
    std::uint64_t version;
  };

  SharedStore& store_;
  const WriteScopePtr locks_;
  std::vector<Seen> seen_;
};

class SharedStore::ServerEngine final : public LockingEngine {
 public:
  explicit ServerEngine(SharedStore& store) : store_(store) {}

  bool is_durable() const override { return true; }
  bool commit_waits() const override { return false; }
  TreePtr open_tree(ColumnFamily family, std::string prefix, std::string lower,
                    std::string upper) override {
    TreePtr tree =
        memory().open_tree(family, std::move(prefix), std::move(lower), std::move(upper));
    const std::lock_guard lock(store_.mutex_);
    store_.trees_.try_emplace(tree.get(), tree);
    return tree;
  }
  PinnedValue get(const Tree& tree, std::string_view key) const override {
    return memory().get(tree, key);
  }
  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction, ScanHint hint) const override {
    return memory().scan(tree, lower, upper, direction, hint);
  }
  using Engine::scan;
  SnapshotPtr snapshot() override { return memory().snapshot(); }
  bool changed_since(const Snapshot& snapshot) const override {
    return memory().changed_since(snapshot);
  }
  bool keeps_replaced() const override { return memory().keeps_replaced(); }
  WriteScopePtr begin(std::span<const std::string_view> keys) override {
    return std::make_unique<Scope>(store_, LockingEngine::begin(keys));
  }
  using Engine::begin;
  void commit(const WriteBatch& batch) override {
    const std::lock_guard lock(store_.mutex_);
    store_.commit(batch);
  }
  void clear(Tree& tree) override { memory().clear(tree); }
  void require_format(int format) override { memory().require_format(format); }
  std::uint64_t estimate_size(const Tree& tree) const override {
    return memory().estimate_size(tree);
  }
  std::string describe_refusal() override { return memory().describe_refusal(); }
  EngineStatistics statistics() const override { return memory().statistics(); }

 private:
  Engine& memory() const { return *store_.memory_; }

  SharedStore& store_;
};

std::unique_ptr<Engine> SharedStore::open() { return std::make_unique<ServerEngine>(*this); }

void SharedStore::before_commit(std::function<void()> call) {
  const std::lock_guard lock(mutex_);
  before_commit_ = std::move(call);
}

std::function<void()> SharedStore::take_call() {
  const std::lock_guard lock(mutex_);
  return std::exchange(before_commit_, nullptr);
}

int SharedStore::conflicts() const {
  const std::lock_guard lock(mutex_);
  return conflict_count_;
}

std::uint64_t SharedStore::version_of(const Tree& tree, std::string_view key) const {
  const auto found = versions_.find(std::pair(tree.family(), std::string(key)));
  return found == versions_.end() ? 0 : found->second;
}

void SharedStore::commit(const WriteBatch& batch) {
  memory_->commit(batch);
  for (const WriteBatch::Operation& change : batch.operations()) {
    ++versions_[{change.tree->family(), change.key}];
  }
}

}  // namespace magneto::storage
