#pragma once

#include <span>

#include "expressions/path_set.h"
#include "storage/model/attribute_value.h"
#include "storage/model/effort.h"

namespace magneto::expressions {

// The fragments of `item` at `paths`, each inside its parents; list elements are compacted. The
// paths must be sorted by path_less and must not overlap. Walks the item once, however many paths
// there are.
storage::Item project(storage::ItemView item, std::span<const PathView> paths,
                      storage::Effort& effort);

}  // namespace magneto::expressions
