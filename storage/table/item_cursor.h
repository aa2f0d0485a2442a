#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "storage/encoding/item_encoding.h"
#include "storage/encoding/key_encoding.h"
#include "storage/table/table.h"

namespace magneto::storage {

// Walks the entries of a table or index over its partitions, in key order or in reverse. item() is
// valid until the next call of next(). Movable.
class ItemCursor {
 public:
  // `reader` and `partitions` must outlive the cursor. `range` holds whole keys of the table or
  // index, or bounds of them; empty bounds mean the beginning and the end. `hint` applies to all
  // partitions together.
  ItemCursor(const Reader& reader, const PartitionMap& partitions, KeyRange range,
             Direction direction, ScanHint hint = {});

  bool next();  // throws EngineError
  ItemView item() const { return decode_item(cursor_->value()); }
  std::size_t item_size() const { return decode_item_size(cursor_->value()); }
  std::string_view stored() const { return cursor_->value(); }  // encode_item() of it
  std::string_view key() const { return cursor_->key(); }       // the whole engine key

 private:
  void open_partition(std::size_t partition);

  const Reader* reader_;
  const PartitionMap* partitions_;
  KeyRange range_;
  Direction direction_;
  ScanHint hint_;
  std::size_t first_ = 0;  // partitions the range touches, both inclusive
  std::size_t last_ = 0;
  std::size_t partition_ = 0;  // the one being walked
  bool finished_ = false;
  std::unique_ptr<Cursor> cursor_;
};

}  // namespace magneto::storage
