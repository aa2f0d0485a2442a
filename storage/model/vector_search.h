#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "storage/model/attribute_value.h"

namespace magneto::storage {

// What a search asks for.
struct VectorSearch {
  std::span<const float> query;          // as many elements as the index has dimensions
  std::size_t count = 1;                 // of the best, 1 to 100
  std::vector<AttributeView> partition;  // the values of the HASH elements, in the schema's order
  // What INLINE_FILTER attributes are to equal.
  std::vector<std::pair<std::string, AttributeView>> filters;
  bool wants_vectors = false;
};

}  // namespace magneto::storage
