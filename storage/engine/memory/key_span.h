#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace magneto::storage {

using OptionalKey = std::optional<std::string_view>;

// The part of a tree between two whole keys, as keys without the tree's prefix.
struct KeySpan {
  // Takes keys as Engine::scan() does.
  KeySpan(std::string_view prefix, std::string_view from, std::string_view to);

  std::optional<std::string> lower;  // nullopt: from the first
  std::optional<std::string> upper;  // nullopt: to the last
  bool empty = false;
};

}  // namespace magneto::storage
