#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "absl/container/inlined_vector.h"
#include "storage/engine/engine.h"
#include "storage/engine/memory/memory_snapshot.h"
#include "storage/engine/memory/record.h"

namespace magneto::storage {

// The changes of an engine whose trees are EngineTrees: applies whole batches and clears trees, and
// keeps the contents that snapshots see. Thread-safe.
class MemoryCommits {
 public:
  // One for each operation of a batch; nullptr: no record.
  using Records = absl::InlinedVector<Record*, 4>;

  // Makes the new records for apply(). The caller holds them.
  static Records make_records(const WriteBatch& batch);
  // Puts the records in place at one moment, and returns in `records` the replaced ones, which the
  // caller must release.
  void apply(const WriteBatch& batch, Records& records);

  void clear(EngineTree& tree);

  MemorySnapshots& snapshots() { return snapshots_; }
  const MemorySnapshots& snapshots() const { return snapshots_; }

 private:
  using Operations = std::span<const WriteBatch::Operation>;

  void apply_locked(Operations operations, Records& records);
  void preserve(std::uint64_t snapshot, const WriteBatch::Operation& operation, Record* old);

  MemorySnapshots snapshots_;
};

}  // namespace magneto::storage
