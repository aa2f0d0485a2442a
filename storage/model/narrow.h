#pragma once

#include <concepts>
#include <stdexcept>
#include <utility>

namespace magneto::storage {

// The only way to convert sizes and counts to a narrower type (tests/gates/narrowing.py). If the
// type cannot hold a value, the call ends with a fault before anything is written, instead of
// losing the upper bits.
template <std::integral To, std::integral From>
constexpr To narrow(From value) {
  if (!std::in_range<To>(value)) [[unlikely]] {
    throw std::length_error("a size does not fit its field");
  }
  return static_cast<To>(value);
}

}  // namespace magneto::storage
