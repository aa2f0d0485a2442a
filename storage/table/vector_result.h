#pragma once

#include <vector>

#include "storage/table/item_write.h"

namespace magneto::storage {

// One result of a search in a vector index.
struct VectorResult {
  StoredItem item;            // the attributes that the index projects, without the vector
  std::vector<float> vector;  // as stored in the index, if requested
  float score = 0;            // COSINE: 1 - cos; EUCLIDEAN: the distance; DOT_PRODUCT: the product
};

}  // namespace magneto::storage
