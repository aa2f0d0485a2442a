#pragma once

#include <algorithm>
#include <cstdint>

#include "storage/engine/memory/record_tree.h"

namespace magneto::storage {

// Changes an array whose first `count` elements are in use.
template <typename T>
void insert_at(T* array, std::uint32_t count, std::uint32_t index, T value) {
  std::copy_backward(array + index, array + count, array + count + 1);
  array[index] = value;
}
template <typename T>
void erase_at(T* array, std::uint32_t count, std::uint32_t index) {
  std::copy(array + index + 1, array + count, array + index);
}

struct RecordTree::Leaf {
  void insert(std::uint32_t index, const KeyedRecord& entry) {
    insert_at(heads, count, index, entry.head);
    insert_at(records, count, index, entry.record);
    ++count;
  }

  std::uint64_t heads[kSlots];
  std::uint32_t count;
  Leaf* previous;
  Leaf* next;
  Record* records[kSlots];
};

// The keys in children[i] are not below separators[i - 1] and are below separators[i]. Separators
// are records of their own, without value.
struct RecordTree::Inner {
  std::uint64_t heads[kSlots];  // of the separators
  std::uint32_t count;          // of the separators; there is one child more
  Record* separators[kSlots];
  void* children[kSlots + 1];
};

// The inner nodes on the way from the root to a leaf, and the child taken at each.
struct RecordTree::Path {
  struct Step {
    Inner* node;
    std::uint32_t child;
  };
  Step steps[kMaxHeight];
  int depth = 0;
};

}  // namespace magneto::storage
