#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/encoding/key_encoding.h"
#include "storage/model/attribute_value.h"
#include "storage/model/table_schema.h"

namespace magneto::storage {

// The attributes of an item that an index holds: all, or the key attributes of index and table and
// the attributes that an INCLUDE projection lists.
class ProjectedAttributes {
 public:
  ProjectedAttributes() = default;  // all
  ProjectedAttributes(const TableSchema& table, const IndexSchema& index);

  bool all() const { return type_ == ProjectionType::kAll; }
  bool contains(std::string_view attribute) const;
  bool keys_only() const { return type_ == ProjectionType::kKeysOnly; }
  // The projected part of an item, as an item.
  std::string project(ItemView item) const;

 private:
  ProjectionType type_ = ProjectionType::kAll;
  std::vector<std::string> names_;  // ascending bytewise, distinct; empty if all are projected
};

// The effect of an item's change on its entry in one index. Entries are whole: an entry is deleted
// under one key, put under one key, or both if its key changes (a move).
struct EntryChange {
  std::string delete_key;      // empty: nothing to delete
  std::string put_key;         // empty: nothing to put
  std::string value;           // encode_item() of the projected item; puts only
  std::uint32_t old_size = 0;  // of the projected item, as item_size counts; 0: there was no entry
  std::uint32_t new_size = 0;  // 0: there is no entry any more

  // The key that identifies the entry and its index; both keys belong to the same index.
  const std::string& key() const { return delete_key.empty() ? put_key : delete_key; }
  bool empty() const { return delete_key.empty() && put_key.empty(); }
  bool moved() const { return !delete_key.empty() && !put_key.empty(); }
};

// The change of an item's entry from the item `before` to the item `after`, whose keys `keys`
// encodes. An item without attributes does not exist. If the stored view stays the same, the change
// is empty (captured facts, "Index write capacity": an index is charged only for a change).
EntryChange entry_change(IndexKeyEncoder& keys, const IndexSchema& index,
                         const ProjectedAttributes& projected, ItemView before, ItemView after);

}  // namespace magneto::storage
