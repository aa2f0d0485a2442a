#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "storage/index/vector/row_chunks.h"
#include "storage/model/table_schema.h"

namespace magneto::storage {

// Vectors of one number of dimensions under slots, and the search for those nearest to a query.
// Const calls may run at the same time; changes are the caller's to serialise, against those too.
//
// The floats are finite: the caller sees to it. Every finite vector is good, with zeros, denormals
// and those whose squares no float can hold.
//
// The score of a row x for a query q, as SearchVectors tells it, is computed in double from the floats
// and rounded to the nearest float. Beyond the greatest finite float it is that one, with its sign.
//   kCosine      1 - cos(q, x), 0 to 2, the least is best; 1 where one of them is all zeros
//   kEuclidean   |q - x|, the least is best
//   kDotProduct  q * x, the largest is best
// A search is exact: it ranks by the doubles (of the squared distance, for kEuclidean) before they
// are rounded, and those of equal doubles by ascending slot.
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

  // A vector or query of another length than the dimensions ends the call with std::length_error, as
  // more than 2^32 - 1 slots do; without memory it is std::bad_alloc: nothing is changed then.
  Slot add(std::span<const float> vector);
  // The slot must be in use, here and below.
  void replace(Slot slot, std::span<const float> vector);
  // The slot will be used again. row_chunks.h tells what memory is given back.
  void remove(Slot slot);
  // Until the next change.
  std::span<const float> vector(Slot slot) const { return {chunks_.row(slot), dimensions_}; }

  std::size_t size() const { return chunks_.size(); }
  // All memory that it holds, itself included.
  std::size_t bytes() const { return sizeof(*this) - sizeof(chunks_) + chunks_.bytes(); }
  // Every slot in use is below.
  Slot end() const { return chunks_.end(); }

  // The k best, best first; fewer when there are fewer.
  std::vector<Found> search(std::span<const float> query, std::size_t k) const;
  // Of those that `accepts`, which is asked once for each slot in use, in ascending order, before
  // anything is computed for it.
  std::vector<Found> search(std::span<const float> query, std::size_t k, Accepts accepts) const;

 private:
  void check_length(std::span<const float> vector) const;
  void write(Slot slot, std::span<const float> vector);

  const std::uint32_t dimensions_;
  const DistanceFunction function_;
  RowChunks chunks_;  // the factors are RowSearch's
};

}  // namespace magneto::storage
