#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/table/item_write.h"

namespace magneto::storage {

// The item under a key. Throws EngineError.
StoredItem read_item(const Reader& reader, const Table& table, std::string_view key);

// The same of each key, which may be equal: not of one moment.
std::vector<StoredItem> read_each(const Reader& reader, const Table& table,
                                  std::span<const std::string> keys);

// The items under distinct keys at one moment: their keys are held while they are read.
std::vector<StoredItem> read_items(Engine& engine,
                                   std::span<const std::pair<const Table*, std::string_view>> keys);

}  // namespace magneto::storage
