#pragma once

#include <memory>
#include <string_view>

#include "storage/engine/engine.h"
#include "storage/engine/memory/memory_tree.h"

namespace magneto::storage {

// Walks the records of an overlay's tree and what lies below it as one: of a key that is in both the
// overlay's record counts, and one that says that the key is removed hides it.
std::unique_ptr<Cursor> make_overlay_cursor(std::unique_ptr<RecordCursor> own,
                                            std::unique_ptr<Cursor> below, Direction direction);

// The same without anything below.
std::unique_ptr<Cursor> make_overlay_cursor(std::unique_ptr<RecordCursor> own);

}  // namespace magneto::storage
