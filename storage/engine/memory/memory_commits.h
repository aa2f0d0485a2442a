#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "absl/container/inlined_vector.h"
#include "storage/engine/engine.h"
#include "storage/engine/memory/memory_snapshot.h"
#include "storage/engine/memory/record.h"

namespace magneto::storage {

// What an engine whose trees are EngineTrees does to them: whole batches, and clearing, so that its
// snapshots keep what they see. Thread-safe.
class MemoryCommits {
 public:
  // One for each operation of a batch; nullptr: nothing.
  using Records = absl::InlinedVector<Record*, 4>;

  // New ones, held by the caller: what apply() takes.
  static Records make_records(const WriteBatch& batch);
  // Puts them in place at one moment, and gives back those they replace, the caller's to release.
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
