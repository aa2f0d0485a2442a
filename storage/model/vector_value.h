#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/model/attribute_value.h"

// Values as the vectors of a vector index: lists of numbers, each kept as the nearest 32-bit
// floating point number (captured facts, "SearchVectors results": 16777217 comes back as 16777216).
namespace magneto::storage {

inline constexpr std::uint32_t kMaxVectorDimensions = 4'096;

// The number nearest to a decimal one, by its Number::bytes(); nullopt when it is too large for one.
std::optional<float> nearest_float(std::string_view number_bytes);

enum class VectorProblem : std::uint8_t {
  kNone,
  kNotAList,
  kWrongSize,   // another number of elements than the index has dimensions
  kNotANumber,  // an element of another type
  kOutOfRange,  // a number too large for 32-bit floating point
};

// What keeps `value`, which is there, from being a vector.
struct VectorCheck {
  VectorProblem problem = VectorProblem::kNone;
  std::uint32_t size = 0;                       // of the list
  std::uint32_t position = 0;                   // of the element at fault
  AttributeType type = AttributeType::kNumber;  // of that element

  bool is_good() const { return problem == VectorProblem::kNone; }
};

// Reads `value` into `vector`, which is empty after a problem.
VectorCheck read_vector(AttributeView value, std::uint32_t dimensions, std::vector<float>& vector);

// A vector as the bytes of a B value: its elements as the machine has them.
std::string_view vector_bytes(const std::vector<float>& vector);
// The reverse; bytes that are no whole elements are left out.
std::vector<float> vector_of_bytes(std::string_view bytes);

}  // namespace magneto::storage
