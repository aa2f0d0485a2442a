#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace magneto::api {

inline constexpr std::size_t kMaxNamespaceNameSize = 128;

// Whether a namespace or snapshot may have that name: 1 to 128 of A-Z a-z 0-9 . _ -, but not "." or
// "..", which have a special meaning in paths.
inline bool is_namespace_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxNamespaceNameSize && name != "." && name != ".." &&
         std::ranges::all_of(name, [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                  c == '.' || c == '_' || c == '-';
         });
}

}  // namespace magneto::api
