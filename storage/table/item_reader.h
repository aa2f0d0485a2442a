#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/table/item_write.h"

namespace magneto::storage {

// The item under a key. Throws EngineError.
StoredItem read_item(const Reader& reader, const Table& table, std::string_view key);

// The items under the keys, which may repeat; the items are not of one moment.
std::vector<StoredItem> read_each(const Reader& reader, const Table& table,
                                  std::span<const std::string_view> keys);

// The items under distinct keys at one moment: the keys are held during the read.
std::vector<StoredItem> read_items(Engine& engine,
                                   std::span<const std::pair<const Table*, std::string_view>> keys);

}  // namespace magneto::storage
