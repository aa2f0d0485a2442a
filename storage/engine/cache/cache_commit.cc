#include "storage/engine/cache/cache_commit.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "storage/engine/cache/partition_cache.h"

namespace magneto::storage {

CacheCommit::CacheCommit(const WriteBatch& batch, bool waits) : batch_(batch), waits_(waits) {
  for (const WriteBatch::Operation& operation : batch.operations()) {
    partitions_.push_back(CachedPartition::of(*operation.tree));
  }
  enter();
}

// If a tree of the batch is not cached, or is loading, readers of the other trees wait until the
// commit is complete in both places. Otherwise a reader could read newer data below and then older
// data in the cache.
void CacheCommit::enter() {
  bool is_all_loaded = true;
  const std::span<const WriteBatch::Operation> operations = batch_.operations();
  for (std::size_t i = 0; i < operations.size(); ++i) {
    CachedPartition* partition = partitions_[i];
    records_.push_back(nullptr);
    if (partition == nullptr) continue;
    CachedPartition::State state = CachedPartition::state(partition->word_);
    if (std::find(entered_.begin(), entered_.end(), partition) == entered_.end()) {
      state = CachedPartition::state(partition->word_.fetch_add(CachedPartition::kCommit));
      entered_.push_back(partition);
    }
    is_all_loaded &= state == CachedPartition::kLoaded;
    if (state != CachedPartition::kAbsent && !operations[i].is_delete) {
      records_[i] = partition->records_.make_record(operations[i].key, operations[i].value);
    }
  }
  if (!is_all_loaded) lock_for_commit();
}

void CacheCommit::lock_for_commit() {
  MemoryTreeLocks::Trees trees = this->trees();
  if (trees.empty()) return;
  if (waits_) {
    kept_off_ = trees;
    for (MemoryTree* tree : kept_off_) tree->add_waiting_writer();
  }
  locks_.emplace(std::move(trees));
}

// The partitions that may hold something; their locks decide which of them do.
MemoryTreeLocks::Trees CacheCommit::trees() const {
  MemoryTreeLocks::Trees trees;
  for (CachedPartition* partition : entered_) {
    if (CachedPartition::state(partition->word_) != CachedPartition::kAbsent) {
      trees.push_back(&partition->records_);
    }
  }
  return trees;
}

// A partition that was absent when the commit entered cannot have started to load since.
void CacheCommit::apply() {
  if (!locks_) {
    MemoryTreeLocks::Trees trees = this->trees();
    if (trees.empty()) return;
    locks_.emplace(std::move(trees));
  }
  const std::span<const WriteBatch::Operation> operations = batch_.operations();
  for (std::size_t i = 0; i < operations.size(); ++i) {
    CachedPartition* partition = partitions_[i];
    if (partition == nullptr) continue;
    if (CachedPartition::state(partition->word_) == CachedPartition::kAbsent) continue;
    if (operations[i].is_delete) {
      partition->remove(operations[i].key, records_[i]);
    } else {
      partition->put(operations[i].key, std::exchange(records_[i], nullptr), records_[i]);
    }
  }
}

CacheCommit::~CacheCommit() {
  locks_.reset();
  for (MemoryTree* tree : kept_off_) tree->remove_waiting_writer();
  for (Record* record : records_) {
    if (record != nullptr) record->release();
  }
  for (CachedPartition* partition : entered_) {
    if (partition->is_loaded() && partition->cache_->is_over_budget()) partition->evict();
    partition->word_.fetch_sub(CachedPartition::kCommit);
  }
}

}  // namespace magneto::storage
