#pragma once

#include <array>
#include <charconv>
#include <string>

namespace magneto::api {

// Appends a finite number with so many decimals: 1.50.
inline void append_fixed(double value, int decimals, std::string& out) {
  std::array<char, 400> digits;  // the greatest double has 309 before the point
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                    std::chars_format::fixed, decimals);
  out.append(digits.data(), result.ptr);
}

}  // namespace magneto::api
