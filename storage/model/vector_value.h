#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/model/attribute_value.h"

// Values as the vectors of a vector index: lists of numbers, each stored as the nearest 32-bit
// floating point number (captured facts, "SearchVectors results": 16777217 comes back as 16777216).
namespace magneto::storage {

inline constexpr std::uint32_t kMaxVectorDimensions = 4'096;

// The float nearest to a decimal number, by its Number::bytes(); nullopt if the number is too
// large.
std::optional<float> nearest_float(std::string_view number_bytes);

enum class VectorProblem : std::uint8_t {
  kNone,
  kNotAList,
  kWrongSize,   // another number of elements than the index has dimensions
  kNotANumber,  // an element of another type
  kOutOfRange,  // a number too large for 32-bit floating point
};

// Why `value`, which is present, is not a vector.
struct VectorCheck {
  VectorProblem problem = VectorProblem::kNone;
  std::uint32_t size = 0;                       // of the list
  std::uint32_t position = 0;                   // of the faulty element
  AttributeType type = AttributeType::kNumber;  // of that element

  bool is_good() const { return problem == VectorProblem::kNone; }
};

// Reads `value` into `vector`, which is empty after a problem.
VectorCheck read_vector(AttributeView value, std::uint32_t dimensions, std::vector<float>& vector);

// A vector as the bytes of a B value: its elements in the machine's representation.
std::string_view vector_bytes(const std::vector<float>& vector);
// The reverse; ignores an incomplete element at the end.
std::vector<float> vector_of_bytes(std::string_view bytes);

}  // namespace magneto::storage
