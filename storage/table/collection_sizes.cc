#include "storage/table/collection_sizes.h"

#include <utility>

#include "storage/encoding/key_encoding.h"
#include "storage/model/effort.h"
#include "storage/table/item_cursor.h"

namespace magneto::storage {
namespace {

constexpr std::int64_t kWorthRemembering = 1 << 20;  // bytes; a walk over less is fast
constexpr std::size_t kMaxRemembered = 4'096;

KeyRange keys_of(const Table& table, std::uint16_t index, AttributeView partition) {
  KeyCondition condition;
  condition.partition.push_back(partition);
  return key_range(table.schema.number, index, condition);
}

std::string name_of(const Table& table, AttributeView partition) {
  return keys_of(table, 0, partition).lower;
}

}  // namespace

bool has_item_collections(const Table& table) {
  return !table.indexes.empty() && table.indexes.front()->schema.is_in_item_collection();
}

std::int64_t collected_bytes(const Table& table) {
  std::int64_t bytes = table.statistics->size_bytes.load(std::memory_order_relaxed);
  for (const auto& index : table.indexes) {
    if (!index->schema.is_in_item_collection()) continue;
    bytes += index->statistics->size_bytes.load(std::memory_order_relaxed);
  }
  return bytes;
}

std::int64_t CollectionSizes::walk(const Table& table, AttributeView partition) const {
  std::int64_t bytes = 0;
  const auto add_all = [&](const PartitionMap& partitions, std::uint16_t index) {
    ItemCursor cursor(engine_, partitions, keys_of(table, index, partition), Direction::kForward);
    while (cursor.next()) bytes += static_cast<std::int64_t>(cursor.item_size());
  };
  add_all(table.partitions, 0);
  for (const auto& index : table.indexes) {
    if (!index->schema.is_in_item_collection()) continue;
    add_all(index->store->partitions(), index->schema.number);
  }
  return bytes;
}

std::int64_t CollectionSizes::size(const Table& table, AttributeView partition) {
  if (engine_.group() != nullptr) {  // other servers change it too
    Effort::before_waiting();
    return walk(table, partition);
  }
  const std::string name = name_of(table, partition);
  {
    const std::lock_guard lock(mutex_);
    const auto known = sizes_.find(name);
    if (known != sizes_.end() && known->second.is_walked) return known->second.bytes;
    Effort::before_waiting();
    if (known == sizes_.end()) {
      if (sizes_.size() >= kMaxRemembered) sizes_.erase(sizes_.begin());
      sizes_.try_emplace(name);
      remembers_any_.store(true);
    }
  }
  const std::int64_t walked = walk(table, partition);
  const std::lock_guard lock(mutex_);
  const auto entry = sizes_.find(name);
  if (entry == sizes_.end()) return walked;
  Size& size = entry->second;
  if (!size.is_walked) size = {size.bytes + walked, true};
  const std::int64_t bytes = size.bytes;
  if (bytes < kWorthRemembering) {
    sizes_.erase(entry);
    remembers_any_.store(!sizes_.empty());
  }
  return bytes;
}

void CollectionSizes::add(const Table& table, AttributeView partition, std::int64_t bytes) {
  if (!remembers_any_.load()) return;
  const std::string name = name_of(table, partition);
  const std::lock_guard lock(mutex_);
  const auto entry = sizes_.find(name);
  if (entry != sizes_.end()) entry->second.bytes += bytes;
}

}  // namespace magneto::storage
