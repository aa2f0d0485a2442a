#pragma once

#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/engine/engine.h"
#include "storage/index/index_store.h"
#include "storage/index/tree_index.h"
#include "storage/index/vector/indexed_vectors.h"
#include "storage/model/effort.h"
#include "storage/model/vector_search.h"

namespace magneto::storage {

// One result of a search.
struct VectorMatch {
  PinnedValue entry;          // encode_item() of the projected item without its vector
  std::vector<float> vector;  // as the index has it, where it was wanted
  float score = 0;            // see vector/vector_rows.h
};

// An index of kind kVector. The entries' projected items lie in trees as those of other indexes,
// without the vector; the vectors lie in memory alone, those of one HASH value together, and are
// read again from the table's items when somebody searches for the first time since the trees were
// opened. In a change, and in the change log, an entry has its vector as a B value, whose size is
// what DynamoDB charges for it (captured facts, "Vector capacity").
//
// Thread-safe as IndexStore; searches run side by side.
class VectorIndex final : public IndexStore {
 public:
  VectorIndex(Engine& engine, const TableSchema& table, const IndexSchema& index,
              PartitionMap partitions);

  EntryChange change(IndexKeyEncoder& keys, ItemView before, ItemView after) const override;
  void apply(EntryChange change, WriteBatch& batch) override;
  std::uint32_t entry_size(std::string_view key) const override { return tree_.entry_size(key); }
  std::uint64_t applied_through() const override { return tree_.applied_through(); }
  void set_applied_through(std::uint64_t sequence, WriteBatch& batch) override {
    tree_.set_applied_through(sequence, batch);
  }
  const PartitionMap& partitions() const override { return tree_.partitions(); }

  // Whether the vectors are in memory, as they are from the beginning where there is no entry.
  bool is_loaded() const;
  // Reads them from the table's items; nothing may be applied meanwhile. Takes some microseconds for
  // each. Throws EngineError.
  void load(const TableSchema& table, const PartitionMap& items);

  // The best matches, best first; none while the vectors are not loaded. Counts its steps before it
  // takes them, so a long one leaves an I/O thread. Throws EngineError.
  std::vector<VectorMatch> search(const VectorSearch& search, Effort& effort) const;

  // Bytes that the vectors take in memory, and what is needed to find them.
  std::size_t bytes_in_memory() const;

 private:
  std::string entry_of(ItemView item) const;
  void place(IndexedVectors& vectors, std::string_view key, ItemView entry,
             std::span<const float> vector) const;

  const Engine& engine_;
  const IndexSchema schema_;  // as it was made: what an entry is never changes
  const ProjectedAttributes projected_;
  TreeIndex tree_;
  mutable std::shared_mutex mutex_;          // guards what follows
  std::unique_ptr<IndexedVectors> vectors_;  // nullptr until they are loaded
};

}  // namespace magneto::storage
