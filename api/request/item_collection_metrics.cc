#include "api/request/item_collection_metrics.h"

#include "api/json/attribute_value_json.h"
#include "storage/encoding/key_encoding.h"

namespace magneto::api {

using storage::AttributeView;
using storage::Database;
using storage::Index;
using storage::Table;

namespace {

constexpr std::int64_t kGigabyte = 1LL << 30;

// Everything the table and its local indexes hold: no collection is larger.
std::int64_t upper_bound(const Table& table) {
  std::int64_t bytes = table.statistics->size_bytes.load(std::memory_order_relaxed);
  for (const auto& index : table.indexes) {
    if (index->schema.is_global) continue;
    bytes += index->statistics->size_bytes.load(std::memory_order_relaxed);
  }
  return bytes;
}

std::int64_t measured(Database& database, const Table& table, const Index* index,
                      AttributeView partition) {
  storage::KeyCondition condition;
  condition.partition.push_back(partition);
  const std::uint16_t number = index != nullptr ? index->schema.number : std::uint16_t{0};
  storage::ItemCursor cursor =
      database.scan(table, index, storage::key_range(table.schema.number, number, condition),
                    storage::Direction::kForward);
  std::int64_t bytes = 0;
  while (cursor.next()) bytes += static_cast<std::int64_t>(cursor.item_size());
  return bytes;
}

std::int64_t collection_size(Database& database, const Table& table, AttributeView partition) {
  const std::int64_t bound = upper_bound(table);
  if (bound < kGigabyte) return bound;
  std::int64_t bytes = measured(database, table, nullptr, partition);
  for (const auto& index : table.indexes) {
    if (!index->schema.is_global) bytes += measured(database, table, index.get(), partition);
  }
  return bytes;
}

}  // namespace

bool wants_collection_metrics(const Parameters& parameters) {
  return parameters.word("ReturnItemCollectionMetrics") == "SIZE";
}

bool has_item_collections(const Table& table) {
  return !table.schema.indexes.empty() && !table.schema.indexes.front().is_global;
}

void append_collection_metrics(json::Writer& writer, Database& database, const Table& table,
                               storage::ItemView key) {
  const storage::KeyAttribute& attribute = table.schema.key.partition.front();
  const AttributeView partition = key.find(attribute.name);
  const std::int64_t gigabytes = collection_size(database, table, partition) / kGigabyte;
  writer.begin_object();
  writer.key("ItemCollectionKey");
  writer.begin_object();
  writer.escaped_key(attribute.name);
  json::append_value(writer.raw(), partition);
  writer.end_object();
  writer.key("SizeEstimateRangeGB");
  writer.begin_array();
  writer.number(static_cast<double>(gigabytes));
  writer.number(static_cast<double>(gigabytes + 1));
  writer.end_array();
  writer.end_object();
}

}  // namespace magneto::api
