#include "storage/table/item_reader.h"

#include "absl/container/inlined_vector.h"

namespace magneto::storage {

StoredItem read_item(const Engine& engine, const Table& table, std::string_view key) {
  return StoredItem(engine.get(*table.partitions.tree_of(key), key));
}

std::vector<StoredItem> read_items(
    Engine& engine, std::span<const std::pair<const Table*, std::string_view>> keys) {
  absl::InlinedVector<std::string_view, 32> held;
  for (const auto& [table, key] : keys) held.push_back(key);
  std::vector<StoredItem> items;
  items.reserve(keys.size());
  const WriteScope scope = engine.begin(held);
  for (const auto& [table, key] : keys) items.push_back(read_item(engine, *table, key));
  return items;
}

}  // namespace magneto::storage
