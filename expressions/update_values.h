#pragma once

#include <cstddef>
#include <vector>

#include "expressions/path_values.h"
#include "expressions/syntax_tree.h"
#include "storage/model/attribute_value.h"
#include "storage/model/effort.h"

namespace magneto::expressions {

// The values of an item at the paths of a bound update. Many paths are looked up together as soon
// as individual lookups have become expensive.
class UpdateValues {
 public:
  UpdateValues(const UpdateTree& update, storage::ItemView item, storage::Effort& effort)
      : update_(update), item_(item), effort_(effort) {}

  // at(): the value at a path of the tree. parent(): for a path of more than one step, the value
  // that contains the last step.
  storage::AttributeView at(const Node& path);
  storage::AttributeView parent(const Node& path);

 private:
  storage::AttributeView look_up(PathView path, std::size_t slot);
  void look_up_all();

  const UpdateTree& update_;
  const storage::ItemView item_;
  storage::Effort& effort_;
  std::uint64_t looked_up_ = 0;  // steps of the individual lookups so far
  // Set by a lookup of all paths together. It has two values for the position of each path's first
  // element: that of the path and that of its parent.
  std::vector<storage::AttributeView> values_;
};

}  // namespace magneto::expressions
