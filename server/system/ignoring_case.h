#pragma once

#include <absl/strings/match.h>

#include <string_view>

namespace magneto::server::system {

// Whether the texts are equal except for the case of ASCII letters. Replaces Beast's iequals(),
// which, up to Boost 1.81 at least, reads a byte past the end of texts that differ only in case.
inline bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return absl::EqualsIgnoreCase({a.data(), a.size()}, {b.data(), b.size()});
}

}  // namespace magneto::server::system
