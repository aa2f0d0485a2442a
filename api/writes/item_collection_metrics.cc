#include "api/writes/item_collection_metrics.h"

#include "api/json/attribute_value_json.h"

namespace magneto::api {

using storage::AttributeView;
using storage::Database;
using storage::Table;

namespace {

constexpr std::int64_t kGigabyte = 1LL << 30;

// The sum of all collections is an upper bound for each of them.
std::int64_t collection_size(Database& database, const Table& table, AttributeView partition) {
  const std::int64_t bound = storage::collected_bytes(table);
  return bound < kGigabyte ? bound : database.collection_size(table, partition);
}

}  // namespace

bool wants_collection_metrics(const Parameters& parameters) {
  return parameters.string_or_empty("ReturnItemCollectionMetrics") == "SIZE";
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
