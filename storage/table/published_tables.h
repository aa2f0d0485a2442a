#pragma once

#include <cstddef>
#include <mutex>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "storage/table/table.h"

namespace magneto::storage {

// The tables a request may find, for many readers and rare changes. There is one copy of the map
// for each slot, and a thread always reads the same slot: readers of different slots share no cache
// line, not even a reference count, since each slot's TablePtr has a control block of its own.
// Thread-safe; a change is seen by all readers at one moment.
class PublishedTables {
 public:
  PublishedTables();
  PublishedTables(const PublishedTables&) = delete;
  PublishedTables& operator=(const PublishedTables&) = delete;

  TablePtr find(std::string_view name) const;  // nullptr when there is none
  void publish(const TablePtr& table);         // replaces the table of the same name
  void withdraw(std::string_view name);

 private:
  struct alignas(64) Slot {
    mutable std::mutex mutex;                                // guards tables
    absl::flat_hash_map<std::string_view, TablePtr> tables;  // keys point into the tables
  };

  std::vector<std::unique_lock<std::mutex>> lock_all() const;

  std::vector<Slot> slots_;
};

}  // namespace magneto::storage
