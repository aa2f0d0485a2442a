#pragma once

#include <memory>
#include <string_view>

#include "storage/engine/engine.h"
#include "storage/engine/memory/memory_tree.h"

namespace magneto::storage {

// Walks the records of an overlay's tree and the tree below as one. If both have a key, the
// overlay's record counts; a tombstone hides the key.
std::unique_ptr<Cursor> make_overlay_cursor(std::unique_ptr<RecordCursor> own,
                                            std::unique_ptr<Cursor> below, Direction direction);

// Walks an overlay's tree that has nothing below it.
std::unique_ptr<Cursor> make_overlay_cursor(std::unique_ptr<RecordCursor> own);

}  // namespace magneto::storage
