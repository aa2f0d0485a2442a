#pragma once

#include <span>

#include "expressions/path_set.h"
#include "storage/model/attribute_value.h"
#include "storage/model/effort.h"

namespace magneto::expressions {

// What `paths` choose of `item`, each fragment inside its parents; list elements are compacted. The
// paths are sorted by path_less and do not overlap. Walks the item once, however many paths there
// are.
storage::Item project(storage::ItemView item, std::span<const PathView> paths,
                      storage::Effort& effort);

}  // namespace magneto::expressions
