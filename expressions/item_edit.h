#pragma once

#include <span>

#include "expressions/path_set.h"
#include "storage/model/attribute_value.h"

namespace magneto::expressions {

// One change to an item: a value put at a path, or, when absent, what is there taken away.
struct Edit {
  PathView path;
  storage::AttributeView value;
};

// The item with all edits made at once, whatever their order: list indexes are those of `item`;
// values put beyond the end of a list are appended in the order of their indexes; taking away what
// is not there changes nothing. The paths neither overlap nor conflict and what they lead through
// exists. Sorts `edits`.
storage::Item apply_edits(storage::ItemView item, std::span<Edit> edits);

}  // namespace magneto::expressions
