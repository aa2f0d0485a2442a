#include "storage/table/item_reader.h"

#include "absl/container/inlined_vector.h"

namespace magneto::storage {
namespace {

std::vector<StoredItem> items_of(std::vector<PinnedValue> values) {
  std::vector<StoredItem> items;
  items.reserve(values.size());
  for (PinnedValue& value : values) items.emplace_back(std::move(value));
  return items;
}

}  // namespace

StoredItem read_item(const Reader& reader, const Table& table, std::string_view key) {
  return StoredItem(reader.get(*table.partitions.tree_of(key), key));
}

std::vector<StoredItem> read_each(const Reader& reader, const Table& table,
                                  std::span<const std::string_view> keys) {
  std::vector<KeyRead> reads;
  reads.reserve(keys.size());
  for (const std::string_view key : keys) {
    reads.push_back({table.partitions.tree_of(key).get(), key});
  }
  std::vector<PinnedValue> values(keys.size());
  reader.get(reads, values);
  return items_of(std::move(values));
}

std::vector<StoredItem> read_items(
    Engine& engine, std::span<const std::pair<const Table*, std::string_view>> keys) {
  absl::InlinedVector<std::string_view, 32> held;
  std::vector<KeyRead> reads;
  reads.reserve(keys.size());
  for (const auto& [table, key] : keys) {
    held.push_back(key);
    reads.push_back({table->partitions.tree_of(key).get(), key});
  }
  std::vector<PinnedValue> values(keys.size());
  if (engine.group() != nullptr) {  // there all reads of a step show one moment
    engine.get(reads, values);
    return items_of(std::move(values));
  }
  for (bool at_one_moment = false; !at_one_moment;) {
    const WriteScopePtr scope = engine.begin(held);
    scope->get(reads, values);
    at_one_moment = scope->commit({}) == CommitResult::kCommitted;
  }
  return items_of(std::move(values));
}

}  // namespace magneto::storage
