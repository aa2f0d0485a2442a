#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/index/vector/indexed_vectors.h"

namespace magneto::storage {

// Vectors as bytes that are read on the same machine only, with numbers and floats in its order.
//
//   record := run(key) run(partition) run(value)*filters float*dimensions
//   run    := length:4 byte*length
void append_vector_record(const IndexedVectors::Entry& entry, std::string& bytes);

// Reads records. Total: bytes that are no records give false and are never read beyond their end.
class VectorRecordReader {
 public:
  VectorRecordReader(std::uint32_t dimensions, std::size_t filters)
      : values_(filters), vector_(dimensions) {}

  // Removes the first record from `bytes`.
  bool take(std::string_view& bytes);
  // The record; valid until the next take(), and while its bytes are.
  IndexedVectors::Entry entry() const {
    return {.key = key_, .partition = partition_, .values = values_, .vector = vector_};
  }

 private:
  std::string_view key_;
  std::string_view partition_;
  std::vector<std::string> values_;
  std::vector<float> vector_;
};

}  // namespace magneto::storage
