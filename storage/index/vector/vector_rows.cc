#include "storage/index/vector/vector_rows.h"

#include <algorithm>
#include <stdexcept>

#include "storage/index/vector/row_search.h"

namespace magneto::storage {
namespace {

constexpr std::uint32_t kMaxDimensions = 4096;

std::uint32_t checked(std::uint32_t dimensions) {
  if (dimensions == 0 || dimensions > kMaxDimensions) {
    throw std::length_error("a vector index of no known number of dimensions");
  }
  return dimensions;
}

}  // namespace

VectorRows::VectorRows(std::uint32_t dimensions, DistanceFunction function)
    : dimensions_(checked(dimensions)),
      function_(function),
      chunks_(dimensions, RowSearch::has_factor(function)) {}

void VectorRows::check_length(std::span<const float> vector) const {
  if (vector.size() != dimensions_) {
    throw std::length_error("a vector of another number of dimensions than its index");
  }
}

void VectorRows::write(Slot slot, std::span<const float> vector) {
  std::copy(vector.begin(), vector.end(), chunks_.row(slot));
  if (RowSearch::has_factor(function_)) {
    chunks_.factor(slot) = RowSearch::factor_of(function_, vector);
  }
}

VectorRows::Slot VectorRows::add(std::span<const float> vector) {
  check_length(vector);
  const Slot slot = chunks_.take();
  write(slot, vector);
  return slot;
}

VectorRows::Slot VectorRows::add_later() { return chunks_.take(); }

void VectorRows::replace(Slot slot, std::span<const float> vector) {
  check_length(vector);
  write(slot, vector);
}

void VectorRows::remove(Slot slot) { chunks_.give_back(slot); }

std::vector<VectorRows::Found> VectorRows::search(std::span<const float> query,
                                                  std::size_t k) const {
  check_length(query);
  if (k == 0) return {};
  RowSearch search(function_, query, k, size());
  chunks_.for_each(
      [&](Slot slot, const float* row, float factor) { search.offer(slot, row, factor); });
  return search.finish();
}

std::vector<VectorRows::Found> VectorRows::search(std::span<const float> query, std::size_t k,
                                                  Accepts accepts) const {
  check_length(query);
  if (k == 0) return {};
  RowSearch search(function_, query, k, size());
  chunks_.for_each([&](Slot slot, const float* row, float factor) {
    if (accepts(slot)) search.offer(slot, row, factor);
  });
  return search.finish();
}

}  // namespace magneto::storage
