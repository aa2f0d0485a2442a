#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "storage/model/attribute_value.h"

namespace magneto::storage {

// Steps from an item down to a value: a.b[2].c is {"a", "b", 2, "c"}. The first step is a name.
struct PathStep {
  std::string name;         // used when !is_index
  std::uint32_t index = 0;  // used when is_index
  bool is_index = false;

  static PathStep member(std::string name) { return {std::move(name), 0, false}; }
  static PathStep element(std::uint32_t index) { return {{}, index, true}; }
  friend bool operator==(const PathStep&, const PathStep&) = default;
};

struct DocumentPath {
  std::vector<PathStep> steps;

  const std::string& attribute() const { return steps.front().name; }
  bool is_top_level() const { return steps.size() == 1; }
  friend bool operator==(const DocumentPath&, const DocumentPath&) = default;
};

// The value at `path`, absent when any step is missing or of another type.
AttributeView find(ItemView item, const DocumentPath& path);

}  // namespace magneto::storage
