#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "storage/index/vector/row_chunks.h"
#include "storage/model/table_schema.h"

namespace magneto::storage {

// Vectors with the same number of dimensions under slots, and the search for those nearest to a
// query. Const calls may run concurrently; the caller must serialise changes with all other calls.
//
// The caller guarantees that all floats are finite. Every finite vector is valid, including zeros,
// denormals and vectors whose squares no float can hold.
//
// The score of a row x for a query q, as SearchVectors returns it, is computed in double from the
// floats and rounded to the nearest float. Beyond the greatest finite float it is that float, with
// its sign.
//   kCosine      1 - cos(q, x), 0 to 2, the smallest is best; 1 if one of them is all zeros
//   kEuclidean   |q - x|, the smallest is best
//   kDotProduct  q * x, the largest is best
// A search is exact: it ranks by the doubles (of the squared distance, for kEuclidean) before they
// are rounded. Equal doubles are ranked by ascending slot.
class VectorRows {
 public:
  using Slot = RowChunks::Slot;
  using Accepts = absl::FunctionRef<bool(Slot)>;

  struct Found {
    Slot slot;
    float score;
    friend bool operator==(const Found&, const Found&) = default;
  };

  // 1 to 4096 dimensions; throws std::length_error for others.
  VectorRows(std::uint32_t dimensions, DistanceFunction function);

  // Throws std::length_error if a vector or query has another length than the dimensions, or if
  // there would be more than 2^32 - 1 slots, and std::bad_alloc without memory. Nothing is changed
  // then.
  Slot add(std::span<const float> vector);
  // Takes a slot whose vector replace() sets before any search.
  Slot add_later();
  // The slot must be in use, here and below. Calls for different slots may run concurrently.
  void replace(Slot slot, std::span<const float> vector);
  // The slot will be reused. row_chunks.h describes when memory is freed.
  void remove(Slot slot);
  // Valid until the next change.
  std::span<const float> vector(Slot slot) const { return {chunks_.row(slot), dimensions_}; }

  std::size_t size() const { return chunks_.size(); }
  // All memory that it holds, itself included.
  std::size_t bytes() const { return sizeof(*this) - sizeof(chunks_) + chunks_.bytes(); }
  // All slots in use are below.
  Slot end() const { return chunks_.end(); }

  // The k best rows, best first; fewer if there are fewer.
  std::vector<Found> search(std::span<const float> query, std::size_t k) const;
  // Searches only slots that `accepts` allows. It is called once for each slot in use, in ascending
  // order, before anything is computed for that slot.
  std::vector<Found> search(std::span<const float> query, std::size_t k, Accepts accepts) const;

 private:
  void check_length(std::span<const float> vector) const;
  void write(Slot slot, std::span<const float> vector);

  const std::uint32_t dimensions_;
  const DistanceFunction function_;
  RowChunks chunks_;  // the factors are RowSearch's
};

}  // namespace magneto::storage
