#pragma once

#include <absl/container/inlined_vector.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "storage/model/attribute_value.h"
#include "storage/model/key_condition.h"
#include "storage/model/packed_strings.h"
#include "storage/model/table_schema.h"

namespace magneto::storage {

// Appends one key part in the form that keyspace.h describes. `value` is S, N or B.
void append_key_part(std::string& out, AttributeView value);

// The values of an item's key attributes. `sort` is absent in tables without a sort key. Types match
// the schema.
struct ItemKeyValues {
  AttributeView partition;
  AttributeView sort;
};

// The whole keys of items.
std::string item_key(std::uint32_t table_number, const ItemKeyValues& values);
PackedStrings item_keys(std::uint32_t table_number, std::span<const ItemKeyValues> values);

// The key of `attributes` in a table: reads the key attributes from an item or a request's Key.
// They must be present and have the right types.
std::string item_key(const TableSchema& table, ItemView attributes);
// Appends the key of the item that an entry of a local index represents. `entry_key`: the entry's
// whole key, which contains the item's partition hash.
void append_item_key_of_entry(std::string& out, const TableSchema& table,
                              std::string_view entry_key, ItemView entry);

// The key of an item's entry in an index; nullopt if the item is not in the index. An item is not
// in the index if it lacks a key attribute of the index, or has a value there that is invalid in a
// key: of another type, empty or too long. Writes of such values are refused, but items may have
// them from before the index (captured facts 2, "Indexes and back-fill").
std::optional<std::string> index_key(const TableSchema& table, const IndexSchema& index,
                                     ItemView item);

// The values of an index's key attributes in an item, partition first; they point into the item.
using IndexKeyValues = absl::InlinedVector<AttributeView, 4>;

// False if the item is not in the index, as for index_key().
bool collect_index_key(const IndexSchema& index, ItemView item, IndexKeyValues& values);

// Makes keys as index_key() does, for several indexes or versions of one item; hashes their common
// parts only once. Not thread-safe.
class IndexKeyEncoder {
 public:
  // `key` is the item's; `item` is any version of it that has the table's key attributes. Both must
  // outlive the encoder.
  IndexKeyEncoder(const TableSchema& table, std::string_view key, ItemView item)
      : table_(table), key_(key), item_(item) {}

  std::string encode(const IndexSchema& index, const IndexKeyValues& values);

 private:
  std::uint64_t partition_hash_of(const IndexSchema& index, const IndexKeyValues& values) const;

  const TableSchema& table_;
  const std::string_view key_;
  const ItemView item_;
  std::optional<std::uint64_t> table_key_hash_;
};

// Whole keys, half open.
struct KeyRange {
  std::string lower;
  std::string upper;
};

// The range of keys in a table (index_number 0) or index that meet a condition.
KeyRange key_range(std::uint32_t table_number, std::uint16_t index_number,
                   const KeyCondition& condition);

// The range of keys of one parallel-scan segment, by the first 12 bits of the hash (captured facts,
// "Partition hash ..."). Segment 0 of 1 is everything.
KeyRange segment_range(std::uint32_t table_number, std::uint16_t index_number,
                       std::uint32_t segment, std::uint32_t total_segments);

}  // namespace magneto::storage
