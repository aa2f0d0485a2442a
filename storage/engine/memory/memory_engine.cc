#include "storage/engine/memory/memory_engine.h"

#include <cstdint>
#include <mutex>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "storage/engine/memory/memory_tree.h"
#include "storage/engine/tree_registry.h"

namespace magneto::storage {

namespace {

class EngineTree final : public Tree {
 public:
  EngineTree(Family family, std::string prefix, std::shared_ptr<NodePool> pool)
      : Tree(family, std::move(prefix)), records_(this->prefix(), std::move(pool)) {}

  MemoryTree& records() { return records_; }
  const MemoryTree& records() const { return records_; }

 private:
  MemoryTree records_;
};

class MemoryEngine final : public Engine {
 public:
  bool is_durable() const override { return false; }

  TreePtr open_tree(Family family, std::string prefix, std::string lower,
                    std::string upper) override {
    return registry_->open({family, prefix, std::move(lower), std::move(upper)},
                           [&] { return new EngineTree(family, std::move(prefix), pool_); });
  }

  PinnedValue get(const Tree& tree, std::string_view key) const override {
    return value_of(*records_of(tree).find(key));
  }

  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction) const override {
    return std::make_unique<MemoryCursor>(records_of(tree), tree.prefix(),
                                          KeySpan(tree.prefix(), lower, upper), direction);
  }

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
    MemoryTree& records = static_cast<EngineTree&>(tree).records();
    std::unique_lock lock(records.mutex());
    const RecordTree dropped = records.take_all();
    lock.unlock();
  }

  std::uint64_t disk_usage() const override { return 0; }

 private:
  static const MemoryTree& records_of(const Tree& tree) {
    return static_cast<const EngineTree&>(tree).records();
  }
  static MemoryTree& records_of(const WriteBatch::Operation& operation) {
    return static_cast<EngineTree&>(*operation.tree).records();
  }

  static Record* apply(const WriteBatch::Operation& operation, Record* record) {
    return operation.is_delete ? records_of(operation).remove(operation.key)
                               : records_of(operation).put(record);
  }

  static void apply(std::span<const WriteBatch::Operation> operations, Record** records) {
    if (operations.size() == 1) {
      std::lock_guard lock(records_of(operations[0]).mutex());
      records[0] = apply(operations[0], records[0]);
      return;
    }
    MemoryTreeLocks::Trees trees;
    for (const WriteBatch::Operation& operation : operations) {
      trees.push_back(&records_of(operation));
    }
    const MemoryTreeLocks locks(std::move(trees));
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
