#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace magneto::storage {

// The part of a tree between two whole keys, as keys without the tree's prefix.
struct KeySpan {
  // Keys as Engine::scan takes them.
  KeySpan(std::string_view prefix, std::string_view from, std::string_view to);

  std::optional<std::string> lower;  // none: from the first
  std::optional<std::string> upper;  // none: to the last
  bool empty = false;
};

}  // namespace magneto::storage
