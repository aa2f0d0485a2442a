#include "storage/engine/memory/memory_commits.h"

#include <mutex>
#include <utility>

namespace magneto::storage {
namespace {

EngineTree& tree_of(const WriteBatch::Operation& operation) {
  return EngineTree::of(*operation.tree);
}

Record* make_record(const WriteBatch::Operation& operation) {
  EngineTree& tree = tree_of(operation);
  if (!operation.is_delete) return tree.records().make_record(operation.key, operation.value);
  return tree.removal() == EngineTree::Removal::kOfRecord
             ? nullptr
             : tree.records().make_tombstone(operation.key);
}

Record* apply_one(const WriteBatch::Operation& operation, Record* record) {
  MemoryTree& records = tree_of(operation).records();
  return record == nullptr ? records.remove(operation.key) : records.put(operation.key, record);
}

}  // namespace

MemoryCommits::Records MemoryCommits::make_records(const WriteBatch& batch) {
  Records records;
  for (const WriteBatch::Operation& operation : batch.operations()) {
    records.push_back(make_record(operation));
  }
  return records;
}

void MemoryCommits::apply(const WriteBatch& batch, Records& records) {
  const Operations operations = batch.operations();
  if (operations.size() == 1) {
    const std::lock_guard lock(tree_of(operations[0]).records().mutex());
    apply_locked(operations, records);
    return;
  }
  MemoryTreeLocks::Trees trees;
  for (const WriteBatch::Operation& operation : operations) {
    trees.push_back(&tree_of(operation).records());
  }
  const MemoryTreeLocks locks(std::move(trees));
  apply_locked(operations, records);
}

// Reads the newest snapshot once, with all locks held.
void MemoryCommits::apply_locked(Operations operations, Records& records) {
  const std::uint64_t snapshot = snapshots_.newest();
  if (snapshot != 0) snapshots_.record_change();
  for (std::size_t i = 0; i < operations.size(); ++i) {
    records[i] = apply_one(operations[i], records[i]);
    if (snapshot != 0) preserve(snapshot, operations[i], records[i]);
  }
}

void MemoryCommits::preserve(std::uint64_t snapshot, const WriteBatch::Operation& operation,
                             Record* old) {
  EngineTree& tree = tree_of(operation);
  const bool is_new_layer = tree.records().preserve(snapshot, operation.key, old);
  if (is_new_layer) snapshots_.record_layer(tree, snapshot);
}

void MemoryCommits::clear(EngineTree& tree) {
  MemoryTree& records = tree.records();
  std::unique_lock lock(records.mutex());
  RecordTree dropped = records.take_all();
  if (const std::uint64_t snapshot = snapshots_.newest(); snapshot != 0) {
    snapshots_.record_change();
    if (records.preserve_all(snapshot, std::move(dropped))) snapshots_.record_layer(tree, snapshot);
  }
  lock.unlock();
}

}  // namespace magneto::storage
