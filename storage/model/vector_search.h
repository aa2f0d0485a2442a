#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "storage/model/attribute_value.h"

namespace magneto::storage {

// The parameters of a search.
struct VectorSearch {
  std::span<const float> query;          // as many elements as the index has dimensions
  std::size_t count = 1;                 // number of best matches, 1 to 100
  std::vector<AttributeView> partition;  // the values of the HASH elements, in the schema's order
  // The required values of INLINE_FILTER attributes.
  std::vector<std::pair<std::string, AttributeView>> filters;
  bool wants_vectors = false;
};

}  // namespace magneto::storage
