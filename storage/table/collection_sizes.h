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

// The write would let an item collection grow beyond the limit.
class CollectionFull : public OutOfMemoryBudget {
 public:
  using OutOfMemoryBudget::OutOfMemoryBudget;
};

// Only tables with local indexes have item collections (AWS developer guide, "Item collections in
// Local Secondary Indexes").
bool has_item_collections(const Table& table);

// Bytes of all item collections of a table together.
std::int64_t collected_bytes(const Table& table);

// How large item collections are: all items under one partition key, with their entries in local
// indexes. A collection is walked when its size is first asked for; the size of a large one is
// remembered then and kept up to date, so that asking again costs nothing. An estimate: what others
// commit at the moment a walk begins may count twice. Thread-safe.
class CollectionSizes {
 public:
  explicit CollectionSizes(const Engine& engine) : engine_(engine) {}

  // Bytes, as item_size counts them. Throws EngineError, and NeedsWorker on an I/O thread where the
  // collection must be walked.
  std::int64_t size(const Table& table, AttributeView partition);

  // Tells that a commit changed the collection of this partition key by so many bytes.
  void add(const Table& table, AttributeView partition, std::int64_t bytes);

 private:
  struct Size {
    std::int64_t bytes = 0;  // until the walk has ended: what was added meanwhile
    bool is_walked = false;
  };

  std::int64_t walk(const Table& table, AttributeView partition) const;

  const Engine& engine_;
  std::mutex mutex_;                              // guards sizes_, and changes of remembers_any_
  absl::flat_hash_map<std::string, Size> sizes_;  // by the lower bound of the collection's keys
  std::atomic<bool> remembers_any_{false};
};

}  // namespace magneto::storage
