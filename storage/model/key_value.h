#pragma once

#include <cstddef>
#include <cstdint>

#include "storage/model/attribute_value.h"
#include "storage/model/limits.h"

// The requirements for values in a key of a table or index.
namespace magneto::storage {

enum class KeyValueProblem : std::uint8_t {
  kNone,
  kWrongType,
  kEmpty,    // S or B without a byte
  kTooLong,  // S or B
};

// The maximum bytes of S or B in a key; each attribute of a key counts separately.
constexpr std::size_t max_key_value_size(bool is_partition) {
  return is_partition ? kMaxPartitionKeySize : kMaxSortKeySize;
}

// Why `value`, which is present, cannot be a key attribute declared with `type`.
inline KeyValueProblem key_value_problem(AttributeView value, AttributeType type,
                                         bool is_partition) {
  if (value.type() != type) return KeyValueProblem::kWrongType;
  if (type != AttributeType::kString && type != AttributeType::kBinary)
    return KeyValueProblem::kNone;
  const std::size_t size = value.scalar_bytes().size();
  if (size == 0) return KeyValueProblem::kEmpty;
  return size > max_key_value_size(is_partition) ? KeyValueProblem::kTooLong
                                                 : KeyValueProblem::kNone;
}

}  // namespace magneto::storage
