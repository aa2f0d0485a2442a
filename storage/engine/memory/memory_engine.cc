#include "storage/engine/memory/memory_engine.h"

#include <cstdint>
#include <string>
#include <utility>

#include "storage/engine/locking_engine.h"
#include "storage/engine/memory/memory_commits.h"
#include "storage/engine/memory/memory_snapshot.h"
#include "storage/engine/memory/memory_tree.h"
#include "storage/engine/tree_registry.h"

namespace magneto::storage {

namespace {

class MemoryEngine final : public LockingEngine {
 public:
  using LockingEngine::LockingEngine;

  bool is_durable() const override { return false; }
  bool commit_waits() const override { return false; }

  TreePtr open_tree(ColumnFamily family, std::string prefix, std::string lower,
                    std::string upper) override {
    return registry_->open({family, prefix, std::move(lower), std::move(upper)},
                           [&] { return new EngineTree(family, std::move(prefix), pool_); });
  }

  PinnedValue get(const Tree& tree, std::string_view key) const override {
    return value_of(*records_of(tree).find(key));
  }

  // Begins to fetch each value while the next key is searched.
  void get(std::span<const KeyRead> reads, std::span<PinnedValue> values) const override {
    constexpr std::size_t kLine = 64;
    constexpr std::size_t kFetched = 512;
    for (std::size_t i = 0; i < reads.size(); ++i) {
      values[i] = get(*reads[i].tree, reads[i].key);
      const std::string_view bytes = values[i].bytes();
      for (std::size_t at = kLine; at < std::min(bytes.size(), kFetched); at += kLine) {
        __builtin_prefetch(bytes.data() + at);
      }
    }
  }

  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction, ScanHint hint) const override {
    return std::make_unique<MemoryCursor>(records_of(tree), tree.prefix(),
                                          KeySpan(tree.prefix(), lower, upper), direction, hint);
  }
  using Engine::scan;

  SnapshotPtr snapshot() override { return make_memory_snapshot(commits_.snapshots()); }
  bool keeps_replaced() const override { return commits_.snapshots().newest() != 0; }
  bool changed_since(const Snapshot& snapshot) const override {
    return changed_since_memory_snapshot(commits_.snapshots(), snapshot);
  }

  void commit(const WriteBatch& batch) override {
    MemoryCommits::Records records = MemoryCommits::make_records(batch);
    commits_.apply(batch, records);
    for (Record* replaced : records) {
      if (replaced != nullptr) replaced->release();
    }
  }

  void clear(Tree& tree) override { commits_.clear(EngineTree::of(tree)); }

  void require_format(int /*format*/) override {}
  std::uint64_t estimate_size(const Tree& /*tree*/) const override { return 0; }
  std::string describe_refusal() override { return {}; }
  EngineStatistics statistics() const override {
    return {.node_bytes = pool_->bytes(), .cache = {}, .disk = {}};
  }

 private:
  static const MemoryTree& records_of(const Tree& tree) { return EngineTree::of(tree).records(); }

  const std::shared_ptr<NodePool> pool_ = std::make_shared<NodePool>();
  const std::shared_ptr<TreeRegistry> registry_ = std::make_shared<TreeRegistry>();
  MemoryCommits commits_;
};

}  // namespace

std::unique_ptr<Engine> make_memory_engine(std::size_t lock_stripes) {
  return std::make_unique<MemoryEngine>(lock_stripes);
}

}  // namespace magneto::storage
