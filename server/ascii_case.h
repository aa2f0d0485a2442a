#pragma once

#include <algorithm>
#include <string_view>

namespace magneto::server {

// Names of HTTP are compared without regard to case, whatever the locale.
inline bool equals_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace magneto::server
