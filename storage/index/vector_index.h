#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/engine/computed_files.h"
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
  std::vector<float> vector;  // as stored in the index, if requested
  float score = 0;            // see vector/vector_rows.h
};

// An index of kind kVector. The entries' projected items are in trees like those of other indexes,
// without the vector. The vectors are in memory, grouped by HASH value. The first search after the
// trees were opened reads them from the file that the last clean close left (computed_files.h), or
// again from the table's items (item_vectors.h). They change after the commit of the change, all of
// a batch at once.
//
// In a change and in the change log, an entry has its vector as a B value; the size of that value
// is the size that DynamoDB charges for (captured facts, "Vector capacity").
//
// Thread-safe like IndexStore; searches run concurrently.
class VectorIndex final : public IndexStore {
 public:
  VectorIndex(Engine& engine, const TableSchema& table, const IndexSchema& index,
              PartitionMap partitions);

  EntryChange change(IndexKeyEncoder& keys, ItemView before, ItemView after) const override;
  void apply(EntryChange change, WriteBatch& batch) override;
  void committed() noexcept override;
  void discarded() noexcept override { staged_.clear(); }
  bool may_wait() const override { return is_large_.load(std::memory_order_relaxed); }
  std::size_t memory() const override;
  std::uint32_t entry_size(std::string_view key) const override { return tree_.entry_size(key); }
  std::uint64_t applied_through() const override { return tree_.applied_through(); }
  void set_applied_through(std::uint64_t sequence, WriteBatch& batch) override {
    tree_.set_applied_through(sequence, batch);
  }
  const PartitionMap& partitions() const override { return tree_.partitions(); }

  // Whether the vectors are in memory. They are from the beginning if there is no entry.
  bool is_loaded() const;
  // Reads the vectors from the file or from the table's items while changes are applied. Takes some
  // microseconds of a processor for each of the file, about ten for each item. Counts its steps, so
  // it stops early when the server ends. Throws EngineError. False if another thread loaded them
  // meanwhile.
  bool load(const TableSchema& table, const PartitionMap& items, Effort& effort);
  // Whether load() has read the file, for tests.
  bool is_from_file() const;
  // The approximate memory that load() will take for each entry.
  std::size_t bytes_of_a_vector() const;

  // ---- the file ----------------------------------------------------------------------------------

  std::string file_name() const;
  // Called before any change. If the index's file has the id of the last close, load() reads it.
  void follow_file(std::string_view last_close);
  // Called after all changes. Leaves a file with the vectors and the id of this close; false if that
  // is impossible, or takes longer than until `end`. If the file lacks a few changes and the vectors
  // are not in memory, they are loaded only if `may_load`. Throws EngineError.
  bool save(const TableSchema& table, const PartitionMap& items, bool may_load,
            std::string_view close, std::chrono::steady_clock::time_point end);

  // The best matches, best first; none while the vectors are not loaded. Counts its steps in
  // advance, so a long search leaves an I/O thread. Throws EngineError.
  std::vector<VectorMatch> search(const VectorSearch& search, Effort& effort) const;

 private:
  // A change that was added to a batch; the value has the vector.
  struct Step {
    std::string remove_key;
    std::string put_key;
    std::string value;
    std::size_t bytes() const {
      return sizeof(*this) + remove_key.size() + put_key.size() + value.size();
    }
  };
  // A file that names a close.
  struct File {
    std::string close;        // empty: there is no file
    bool is_right = false;    // for the index as it is now
    std::size_t changes = 0;  // bytes of since_ that the file lacks
  };

  std::shared_lock<std::shared_mutex> lock_to_read() const;
  template <typename Change>
  void change_vectors(Change change);
  // The next functions require mutex_, except entry_of().
  void record_size();
  void take_step(IndexedVectors& vectors, const Step& step) const;
  std::vector<VectorMatch> fetch(const std::vector<IndexedVectors::Found>& found,
                                 const VectorSearch& search) const;
  std::size_t count_filters() const;
  std::unique_ptr<IndexedVectors> no_vectors() const;
  std::string entry_of(ItemView item) const;
  std::unique_ptr<IndexedVectors> read_file(const std::string& close, Effort& effort) const;
  std::unique_ptr<IndexedVectors> read_items(const TableSchema& table, const PartitionMap& items,
                                             Effort& effort) const;
  bool write_file(std::string_view close, std::chrono::steady_clock::time_point end) const;
  void keep_changes();
  std::string file_head() const;
  std::optional<IndexedVectors::Place> place_of(IndexedVectors& vectors, std::string_view key,
                                                ItemView entry) const;

  const Engine& engine_;
  const ComputedFiles* const files_;  // nullptr: the engine has no local disk
  const std::uint32_t table_number_;
  const IndexSchema schema_;  // the original one: the definition of an entry never changes
  const ProjectedAttributes projected_;
  TreeIndex tree_;
  std::vector<Step> staged_;  // until their commit; used only by the caller of apply()
  std::mutex load_mutex_;     // held while loading
  std::atomic<bool> is_large_{false};
  // Taken before mutex_ for an instant, so that a writer waits only for readers that already read.
  mutable std::mutex turn_;
  mutable std::shared_mutex mutex_;          // guards the next members
  std::unique_ptr<IndexedVectors> vectors_;  // nullptr until they are loaded
  bool is_loading_ = false;
  bool is_from_file_ = false;
  File file_;
  // Changes that were committed while loading or, if there is a file, since the start.
  std::vector<Step> since_;
};

}  // namespace magneto::storage
