#include "storage/model/charged_sizes.h"

#include <algorithm>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "storage/model/item_size.h"
#include "storage/model/vector_value.h"

namespace magneto::storage {

ChargedSizes::ChargedSizes(const TableSchema& schema) {
  for (const IndexSchema& index : schema.indexes) {
    if (index.kind != IndexKind::kVector || index.status == ResourceStatus::kDeleting) continue;
    const std::pair<std::string_view, std::uint32_t> vector(index.vector.attribute,
                                                            index.vector.dimensions);
    if (std::ranges::find(vectors_, vector) == vectors_.end()) vectors_.push_back(vector);
  }
}

std::int64_t ChargedSizes::vector_difference(ItemView item) const {
  std::int64_t difference = 0;
  std::vector<float> vector;
  for (const auto& [attribute, dimensions] : vectors_) {
    const AttributeView value = item.find(attribute);
    if (!value || !read_vector(value, dimensions, vector).is_good()) continue;
    difference += static_cast<std::int64_t>(dimensions * sizeof(float)) -
                  static_cast<std::int64_t>(value_size(value));
  }
  return difference;
}

// The order of indexes in a schema does not matter.
std::uint64_t ChargedSizes::fingerprint() const {
  std::uint64_t sum = 0;
  for (const auto& [attribute, dimensions] : vectors_) {
    sum += absl::HashOf(absl::string_view(attribute.data(), attribute.size()), dimensions) | 1;
  }
  return sum;
}

std::size_t charged_size_with_indexes(const TableSchema& schema, ItemView item, std::size_t size) {
  return ChargedSizes(schema).of(item, size);
}

}  // namespace magneto::storage
