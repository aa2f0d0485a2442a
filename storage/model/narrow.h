#pragma once

#include <concepts>
#include <stdexcept>
#include <utility>

namespace magneto::storage {

// Sizes and counts reach a narrower type by this function alone (tests/gates/narrowing.py): a value
// that the type cannot hold ends the call as a fault, before anything is written, instead of losing
// its upper bits.
template <std::integral To, std::integral From>
constexpr To narrow(From value) {
  if (!std::in_range<To>(value)) [[unlikely]] {
    throw std::length_error("a size does not fit its field");
  }
  return static_cast<To>(value);
}

}  // namespace magneto::storage
