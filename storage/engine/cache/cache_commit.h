#pragma once

#include <optional>

#include "absl/container/inlined_vector.h"
#include "storage/engine/cache/cached_partition.h"
#include "storage/engine/memory/memory_tree.h"
#include "storage/engine/write_batch.h"

namespace magneto::storage {

// The effect of one commit on cached partitions. It is prepared before the engine below commits and
// applied after that. Without apply() nothing changes.
class CacheCommit {
 public:
  // `waits`: the commit below waits for the disk. The batch must outlive this object.
  CacheCommit(const WriteBatch& batch, bool waits);
  ~CacheCommit();
  CacheCommit(const CacheCommit&) = delete;
  CacheCommit& operator=(const CacheCommit&) = delete;

  void apply();

 private:
  void enter();
  void lock_for_commit();
  MemoryTreeLocks::Trees trees() const;

  const WriteBatch& batch_;
  const bool waits_;
  absl::InlinedVector<CachedPartition*, 4> partitions_;  // for each operation; nullptr: not cached
  absl::InlinedVector<Record*, 4> records_;           // new ones until applied, then those replaced
  absl::InlinedVector<CachedPartition*, 4> entered_;  // each once
  MemoryTreeLocks::Trees kept_off_;                   // those whose readers this commit blocks
  std::optional<MemoryTreeLocks> locks_;
};

}  // namespace magneto::storage
