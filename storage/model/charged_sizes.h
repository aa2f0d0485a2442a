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
    return vectors_.empty() ? size : with_vectors(item, size);
  }

 private:
  std::size_t with_vectors(ItemView item, std::size_t size) const;

  absl::InlinedVector<std::pair<std::string_view, std::uint32_t>, 1> vectors_;  // dimensions
};

}  // namespace magneto::storage
