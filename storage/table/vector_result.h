#pragma once

#include <vector>

#include "storage/table/item_write.h"

namespace magneto::storage {

// One result of a search in a vector index.
struct VectorResult {
  StoredItem item;            // what the index projects of it, without the vector
  std::vector<float> vector;  // as the index has it, where it was wanted
  float score = 0;            // COSINE: 1 - cos; EUCLIDEAN: the distance; DOT_PRODUCT: the product
};

}  // namespace magneto::storage
