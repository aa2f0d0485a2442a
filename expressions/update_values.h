#pragma once

#include <cstddef>
#include <vector>

#include "expressions/path_values.h"
#include "expressions/syntax_tree.h"
#include "storage/model/attribute_value.h"
#include "storage/model/effort.h"

namespace magneto::expressions {

// What an item holds at the paths of a bound update. Many paths are looked up together as soon as
// one after the other has become expensive.
class UpdateValues {
 public:
  UpdateValues(const UpdateTree& update, storage::ItemView item, storage::Effort& effort)
      : update_(update), item_(item), effort_(effort) {}

  // At a path of the tree, and, for a path of more than one step, at what its last step is taken
  // from.
  storage::AttributeView at(const Node& path);
  storage::AttributeView parent(const Node& path);

 private:
  storage::AttributeView look_up(PathView path, std::size_t slot);
  void look_up_all();

  const UpdateTree& update_;
  const storage::ItemView item_;
  storage::Effort& effort_;
  std::uint64_t looked_up_ = 0;  // steps of lookups one after the other
  // Once looked up together: two for the place of each path's first element, the path's and its
  // parent's.
  std::vector<storage::AttributeView> values_;
};

}  // namespace magneto::expressions
