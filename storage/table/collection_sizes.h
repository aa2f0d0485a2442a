#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "storage/engine/engine.h"
#include "storage/model/attribute_value.h"
#include "storage/table/memory_budget.h"
#include "storage/table/table.h"

namespace magneto::storage {

// Thrown by a write that would make an item collection grow beyond the limit.
class CollectionFull : public OutOfMemoryBudget {
 public:
  using OutOfMemoryBudget::OutOfMemoryBudget;
};

// Only tables with local indexes have item collections (AWS developer guide, "Item collections in
// Local Secondary Indexes").
bool has_item_collections(const Table& table);

// The sum of the bytes of all item collections of a table.
std::int64_t collected_bytes(const Table& table);

// The sizes of item collections: all items under one partition key, with their entries in local
// indexes. The first request for a size walks the collection. The size of a large collection is
// then remembered and kept up to date, so that asking again costs nothing. It is an estimate:
// commits at the moment when a walk begins may count twice. Thread-safe.
class CollectionSizes {
 public:
  explicit CollectionSizes(Engine& engine) : engine_(engine) {}

  // Bytes, as item_size counts them. Throws EngineError, and NeedsWorker on an I/O thread if the
  // collection must be walked.
  std::int64_t size(const Table& table, AttributeView partition);

  // Records that a commit changed the size of this partition key's collection by `bytes`.
  void add(const Table& table, AttributeView partition, std::int64_t bytes);

 private:
  struct Size {
    std::int64_t bytes = 0;  // until the walk has ended: the bytes added meanwhile
    bool is_walked = false;
  };

  std::int64_t walk(const Table& table, AttributeView partition) const;

  Engine& engine_;
  std::mutex mutex_;                              // guards sizes_, and changes of remembers_any_
  absl::flat_hash_map<std::string, Size> sizes_;  // by the lower bound of the collection's keys
  std::atomic<bool> remembers_any_{false};
};

}  // namespace magneto::storage
