#pragma once

#include <cstddef>
#include <span>

#include "absl/container/inlined_vector.h"
#include "storage/model/attribute_value.h"
#include "storage/model/effort.h"

namespace magneto::expressions {

// Checks that the values that an update puts into an item do not alone exceed the item size limit,
// so that no larger item is ever built. Small values cost only an addition.
class EditedSize {
 public:
  explicit EditedSize(storage::Effort& effort) : effort_(effort) {}

  void add(storage::AttributeView value);  // an absent value adds nothing

  // Whether the concatenated lists may still be put. If not, the limit counts as exceeded.
  bool has_room_for(std::span<const storage::AttributeView> lists);

  bool is_exceeded() const { return exceeded_; }

 private:
  void count_all();

  storage::Effort& effort_;
  std::size_t bytes_ = 0;  // of all values, in their stored form
  absl::InlinedVector<storage::AttributeView, 4> uncounted_;
  std::size_t size_ = 0;  // of the counted values, as DynamoDB counts
  bool exceeded_ = false;
};

}  // namespace magneto::expressions
