#pragma once

#include <cstddef>
#include <span>

#include "absl/container/inlined_vector.h"
#include "storage/model/attribute_value.h"
#include "storage/model/effort.h"

namespace magneto::expressions {

// Keeps watch that the values an update puts into an item do not alone exceed what an item may
// hold, so that no more than that is ever made. Small values cost nothing but an addition.
class EditedSize {
 public:
  explicit EditedSize(storage::Effort& effort) : effort_(effort) {}

  void add(storage::AttributeView value);  // absent: nothing

  // Whether the lists joined may still be put; notes it when not.
  bool has_room_for(std::span<const storage::AttributeView> lists);

  bool is_exceeded() const { return exceeded_; }

 private:
  void count_all();

  storage::Effort& effort_;
  std::size_t bytes_ = 0;  // of all values, as they lie
  absl::InlinedVector<storage::AttributeView, 4> uncounted_;
  std::size_t size_ = 0;  // of the counted ones, as DynamoDB counts
  bool exceeded_ = false;
};

}  // namespace magneto::expressions
