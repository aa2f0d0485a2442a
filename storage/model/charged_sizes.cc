#include "storage/model/charged_sizes.h"

#include <algorithm>
#include <vector>

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

std::size_t ChargedSizes::with_vectors(ItemView item, std::size_t size) const {
  std::vector<float> vector;
  for (const auto& [attribute, dimensions] : vectors_) {
    const AttributeView value = item.find(attribute);
    if (!value || !read_vector(value, dimensions, vector).is_good()) continue;
    size -= value_size(value);
    size += dimensions * sizeof(float);
  }
  return size;
}

}  // namespace magneto::storage
