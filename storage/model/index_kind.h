#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace magneto::storage {

// The kinds of secondary indexes. The numbers are bytes of schema records (schema_encoding.h).
enum class IndexKind : std::uint8_t { kLocal = 0, kGlobal = 1, kVector = 2 };

// The properties of every index of a kind. Code asks for a property, not for the kind; a new kind
// is one more row.
struct IndexKindTraits {
  // Its entries follow the items by the change log (index/change_log.h), so strongly consistent
  // reads are impossible. Otherwise entries are part of the batch that changes the item.
  bool is_asynchronous;
  // It has its own capacity units, and as many partitions as these need; otherwise the table's.
  bool has_own_throughput;
  // Query and Scan can read it.
  bool can_be_queried;
  // A read can return attributes that are not projected, from the item (AWS developer guide, "Local
  // secondary indexes", fetches).
  bool fetches_from_table;
  // Its entries are under the table's partition key and count for the item collection.
  bool is_in_item_collection;
  // While one of them is deleted the table is UPDATING (captured facts, "Index lifecycle").
  bool deletion_updates_table;
  std::size_t max_of_table;  // how many a table has at most (AWS developer guide, "Quotas")
};

inline constexpr std::array<IndexKindTraits, 3> kIndexKinds{{
    {.is_asynchronous = false,  // local
     .has_own_throughput = false,
     .can_be_queried = true,
     .fetches_from_table = true,
     .is_in_item_collection = true,
     .deletion_updates_table = true,
     .max_of_table = 5},
    {.is_asynchronous = true,  // global
     .has_own_throughput = true,
     .can_be_queried = true,
     .fetches_from_table = false,
     .is_in_item_collection = false,
     .deletion_updates_table = true,
     .max_of_table = 20},
    {.is_asynchronous = true,  // vector
     .has_own_throughput = false,
     .can_be_queried = false,
     .fetches_from_table = false,
     .is_in_item_collection = false,
     .deletion_updates_table = false,
     .max_of_table = 5},
}};

constexpr bool is_valid(IndexKind kind) {
  return static_cast<std::size_t>(kind) < kIndexKinds.size();
}
constexpr const IndexKindTraits& traits_of(IndexKind kind) {
  return kIndexKinds[static_cast<std::size_t>(kind)];
}

}  // namespace magneto::storage
