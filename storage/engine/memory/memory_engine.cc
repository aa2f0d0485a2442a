#include "storage/engine/memory/memory_engine.h"

#include <cstdint>
#include <mutex>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "storage/engine/locking_engine.h"
#include "storage/engine/memory/memory_snapshot.h"
#include "storage/engine/memory/memory_tree.h"
#include "storage/engine/tree_registry.h"

namespace magneto::storage {

namespace {

class MemoryEngine final : public LockingEngine {
 public:
  bool is_durable() const override { return false; }

  TreePtr open_tree(ColumnFamily family, std::string prefix, std::string lower,
                    std::string upper) override {
    return registry_->open({family, prefix, std::move(lower), std::move(upper)},
                           [&] { return new EngineTree(family, std::move(prefix), pool_); });
  }

  PinnedValue get(const Tree& tree, std::string_view key) const override {
    return value_of(*records_of(tree).find(key));
  }

  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction, ScanHint hint) const override {
    return std::make_unique<MemoryCursor>(records_of(tree), tree.prefix(),
                                          KeySpan(tree.prefix(), lower, upper), direction, hint);
  }
  using Engine::scan;

  SnapshotPtr snapshot() override { return make_memory_snapshot(snapshots_); }

  void commit(const WriteBatch& batch) override {
    const std::span<const WriteBatch::Operation> operations = batch.operations();
    absl::InlinedVector<Record*, 4> records;  // new ones before the change, replaced ones after
    for (const WriteBatch::Operation& operation : operations) {
      records.push_back(operation.is_delete
                            ? nullptr
                            : records_of(operation).make_record(operation.key, operation.value));
    }
    apply(operations, records.data());
    for (Record* replaced : records) {
      if (replaced != nullptr) replaced->release();
    }
  }

  void clear(Tree& tree) override {
    MemoryTree& records = EngineTree::of(tree).records();
    std::unique_lock lock(records.mutex());
    RecordTree dropped = records.take_all();
    if (const std::uint64_t snapshot = snapshots_.newest(); snapshot != 0) {
      const bool is_first = !records.has_history();
      records.preserve_all(snapshot, std::move(dropped));
      if (is_first) snapshots_.note_history(EngineTree::of(tree), snapshot);
    }
    lock.unlock();
  }

  std::uint64_t disk_usage() const override { return 0; }
  EngineStatistics statistics() const override {
    return {.node_bytes = pool_->bytes(), .cache = {}, .disk = {}};
  }

 private:
  static const MemoryTree& records_of(const Tree& tree) { return EngineTree::of(tree).records(); }
  static MemoryTree& records_of(const WriteBatch::Operation& operation) {
    return EngineTree::of(*operation.tree).records();
  }

  static Record* apply(const WriteBatch::Operation& operation, Record* record) {
    return operation.is_delete ? records_of(operation).remove(operation.key)
                               : records_of(operation).put(record);
  }

  void apply(std::span<const WriteBatch::Operation> operations, Record** records) {
    if (operations.size() == 1) {
      std::lock_guard lock(records_of(operations[0]).mutex());
      apply_locked(operations, records);
      return;
    }
    MemoryTreeLocks::Trees trees;
    for (const WriteBatch::Operation& operation : operations) {
      trees.push_back(&records_of(operation));
    }
    const MemoryTreeLocks locks(std::move(trees));
    apply_locked(operations, records);
  }

  // The newest snapshot is asked for once, with all locks held.
  void apply_locked(std::span<const WriteBatch::Operation> operations, Record** records) {
    const std::uint64_t snapshot = snapshots_.newest();
    for (std::size_t i = 0; i < operations.size(); ++i) {
      records[i] = apply(operations[i], records[i]);
      if (snapshot != 0) preserve(snapshot, operations[i], records[i]);
    }
  }

  void preserve(std::uint64_t snapshot, const WriteBatch::Operation& operation, Record* old) {
    MemoryTree& tree = records_of(operation);
    const bool is_first = !tree.has_history();
    tree.preserve(snapshot, operation.key, old);
    if (is_first) snapshots_.note_history(EngineTree::of(*operation.tree), snapshot);
  }

  const std::shared_ptr<NodePool> pool_ = std::make_shared<NodePool>();
  const std::shared_ptr<TreeRegistry> registry_ = std::make_shared<TreeRegistry>();
  MemorySnapshots snapshots_;
};

}  // namespace

std::unique_ptr<Engine> make_memory_engine() { return std::make_unique<MemoryEngine>(); }

}  // namespace magneto::storage
