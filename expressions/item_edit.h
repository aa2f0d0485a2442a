#pragma once

#include <span>

#include "expressions/path_set.h"
#include "storage/model/attribute_value.h"

namespace magneto::expressions {

// One change to an item: puts a value at a path or, if the value is absent, removes the path.
struct Edit {
  PathView path;
  storage::AttributeView value;
};

// Returns the item with all edits made at once, in any order. List indexes are those of `item`.
// Values put beyond the end of a list are appended in the order of their indexes. Removing a
// missing path changes nothing. The paths must neither overlap nor conflict, and their parents must
// exist. Sorts `edits`.
storage::Item apply_edits(storage::ItemView item, std::span<Edit> edits);

}  // namespace magneto::expressions
