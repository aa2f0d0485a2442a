#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "storage/encoding/key_encoding.h"
#include "storage/table/table.h"

namespace magneto::storage {

// Walks the entries of a table or index over its partitions, in key order or against it.
// item() is valid until the next call of next().
class ItemCursor {
 public:
  ItemCursor(Engine& engine, const PartitionMap& partitions, KeyRange range, Direction direction);

  bool next();  // throws EngineError
  ItemView item() const;
  std::size_t item_size() const;
  std::string_view key() const { return cursor_->key(); }  // the whole engine key

 private:
  Engine& engine_;
  const PartitionMap& partitions_;
  KeyRange range_;
  Direction direction_;
  std::size_t partition_;       // the one being walked
  std::size_t last_partition_;
  std::unique_ptr<Cursor> cursor_;
};

}  // namespace magneto::storage
