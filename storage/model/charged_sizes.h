#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "storage/model/attribute_value.h"
#include "storage/model/table_schema.h"

namespace magneto::storage {

// The sizes of a table's items, as DynamoDB charges reads and writes of them: an indexed vector
// counts four bytes for each dimension, not as a list of numbers (captured facts, "Vector
// capacity"; captured facts 3, V8). The schema must outlive this object.
class ChargedSizes {
 public:
  explicit ChargedSizes(const TableSchema& schema);

  // `size`: item_size() of the item, which may be absent.
  std::size_t of(ItemView item, std::size_t size) const {
    return vectors_.empty() ? size : size + static_cast<std::size_t>(vector_difference(item));
  }
  // of() less `size`; negative where vectors are charged less than lists.
  std::int64_t difference(ItemView item) const {
    return vectors_.empty() ? 0 : vector_difference(item);
  }
  // Equal in this process for schemas with the same vectors; 0 without a vector.
  std::uint64_t fingerprint() const;

 private:
  std::int64_t vector_difference(ItemView item) const;

  absl::InlinedVector<std::pair<std::string_view, std::uint32_t>, 1> vectors_;  // dimensions
};

// ChargedSizes::of() of one item; cheap for a table without indexes.
std::size_t charged_size_with_indexes(const TableSchema& schema, ItemView item, std::size_t size);
inline std::size_t charged_size(const TableSchema& schema, ItemView item, std::size_t size) {
  return schema.indexes.empty() ? size : charged_size_with_indexes(schema, item, size);
}

}  // namespace magneto::storage
