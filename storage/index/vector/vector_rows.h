#pragma once
#include <absl/functional/function_ref.h>
#include <cstdint>
#include <span>
#include <vector>
#include "storage/model/table_schema.h"
namespace magneto::storage {
class VectorRows {
 public:
  using Slot = std::uint32_t;
  struct Found { Slot slot; float score; };
  VectorRows(std::uint32_t dimensions, DistanceFunction function) : dimensions_(dimensions), function_(function) {}
  Slot add(std::span<const float> vector);
  void replace(Slot slot, std::span<const float> vector);
  void remove(Slot slot);
  std::span<const float> vector(Slot slot) const { return rows_[slot]; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return 0; }
  Slot end() const { return static_cast<Slot>(rows_.size()); }
  std::vector<Found> search(std::span<const float> query, std::size_t k) const { return search(query, k, [](Slot) { return true; }); }
  std::vector<Found> search(std::span<const float> query, std::size_t k, absl::FunctionRef<bool(Slot)> accepts) const;
 private:
  std::uint32_t dimensions_; DistanceFunction function_; std::size_t size_ = 0;
  std::vector<std::vector<float>> rows_; std::vector<Slot> free_;
};
}
