#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "storage/table/table.h"

namespace magneto::storage {

// The tables that requests can find, for many readers and rare changes. Each slot has its own copy
// of the map, and a thread always reads the same slot. Readers of different slots share no cache
// line, not even a reference count, since each slot's TablePtr has its own control block.
// Thread-safe; all readers see a change at the same moment.
class PublishedTables {
 public:
  // `slots`: 0: one for each processor.
  explicit PublishedTables(std::size_t slots = 0);
  PublishedTables(const PublishedTables&) = delete;
  PublishedTables& operator=(const PublishedTables&) = delete;

  // nullptr if the database with that number has no table of that name.
  TablePtr find(std::uint32_t database, std::string_view name) const;
  void publish(const TablePtr& table);  // replaces the table of the same name
  void withdraw(const TableName& name);

 private:
  struct Name {
    std::uint32_t database;
    std::string_view name;
    friend bool operator==(const Name&, const Name&) = default;
  };
  struct Hash {
    std::size_t operator()(const Name& name) const {
      constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
      return absl::HashOf(name.name) ^ name.database * kOdd;
    }
  };
  struct alignas(64) Slot {
    mutable std::mutex mutex;                          // guards tables
    absl::flat_hash_map<Name, TablePtr, Hash> tables;  // names point into the tables
  };

  std::vector<std::unique_lock<std::mutex>> lock_all() const;

  std::vector<Slot> slots_;
};

}  // namespace magneto::storage
