#include "storage/table/catalog.h"

#include <algorithm>
#include <utility>

#include "storage/encoding/keyspace.h"
#include "storage/encoding/schema_encoding.h"
#include "storage/engine/server_group.h"
#include "storage/model/charged_sizes.h"
#include "storage/model/kinesis_destinations.h"
#include "storage/model/narrow.h"

namespace magneto::storage {
namespace {

constexpr std::uint32_t kOnDemandPartitions = 4;
constexpr std::uint32_t kMaxInitialPartitions = 64;
// What one partition serves a second (AWS developer guide, "Partitions and data distribution").
constexpr double kReadUnitsOfAPartition = 3'000;
constexpr double kWriteUnitsOfAPartition = 1'000;
constexpr std::int64_t kBytesOfAPartition = std::int64_t{10} << 30;

const Index* find_by_number(const Table* table, std::uint16_t number) {
  return table == nullptr ? nullptr : table->find_numbered_index(number);
}

bool delivers(const TableSchema& table) {
  return table.kinesis != nullptr && table.kinesis->captures;
}

std::shared_ptr<const Index> with_schema(const Index& index, IndexSchema schema) {
  auto version = std::make_shared<Index>(index);
  version->schema = std::move(schema);
  return version;
}

}  // namespace

Catalog::Catalog(Engine& engine, const Clock& clock, ChangeLog& changes, std::uint32_t partitions,
                 std::size_t reader_slots)
    : engine_(engine),
      clock_(clock),
      changes_(changes),
      partitions_(partitions),
      records_(engine),
      streams_(engine, clock),
      published_(reader_slots) {}

void Catalog::load() {
  if (!records_.are_stored()) return;
  const Tree& system = *records_.tree();
  const std::lock_guard changing(change_mutex_);
  if (const PinnedValue last = engine_.get(system, counter_key(kTableCounter))) {
    last_number_ = read_uint32(last.bytes());
  }
  const std::string first(kTablePrefix);
  const auto cursor = engine_.scan(system, first, prefix_successor(first), Direction::kForward);
  streams_.load();
  OpenStreams open;
  for (StreamPtr& stream : streams_.all()) {
    if (stream->is_closed()) continue;
    open.try_emplace({stream->description().database, stream->arn()}, std::move(stream));
  }
  while (cursor->next()) {
    TableSchema schema = decode_schema(cursor->value());
    schema.database = database_of_table(cursor->key());
    Logs logs = reopen_logs(schema, open);
    publish(build(std::move(schema), nullptr, std::move(logs)), nullptr);
  }
  for (const auto& [arn, stream] : open) stream->close();
}

// A directory of format 1 knows of a stream only that it was asked for: the table gets a new one.
Catalog::Logs Catalog::reopen_logs(TableSchema& schema, OpenStreams& open) {
  const auto take = [&](std::string_view label) -> StreamPtr {
    const auto found = open.find({schema.database, stream_arn(schema.arn(), label)});
    return found == open.end() ? nullptr : std::move(open.extract(found).mapped());
  };
  Logs kept;
  if (schema.stream.enabled) kept.stream = take(schema.stream.label);
  if (delivers(schema)) kept.deliveries = take(schema.kinesis->log_label);
  const bool has_all = (kept.stream != nullptr || !schema.stream.enabled) &&
                       (kept.deliveries != nullptr || !delivers(schema));
  if (has_all) return kept;
  Logs logs;
  const std::string key = table_record_key(schema.database, schema.name);
  records_.change({key, counter_key(kStreamCounter)}, [&](Records::Change& records) {
    logs = logs_for(schema, kept, {}, records);
    records.put(key, encode_schema(schema));
    return true;
  });
  publish_new(logs, kept);
  return logs;
}

bool Catalog::leads() const {
  const ServerGroup* const group = engine_.group();
  return group == nullptr || group->is_leader();
}

TablePtr Catalog::current(const Table& table) const {
  TablePtr newest = find(table.schema.database, table.schema.name);
  if (newest != nullptr && newest->schema.number != table.schema.number) return nullptr;
  return newest;
}

const Catalog::Tables& Catalog::tables_of(std::uint32_t database) const {
  static const Tables kNone;
  const auto found = tables_.find(database);
  return found == tables_.end() ? kNone : found->second;
}

std::vector<std::string> Catalog::list(std::uint32_t database, std::string_view exclusive_start,
                                       std::size_t limit) const {
  std::vector<std::string> names;
  const std::lock_guard lock(mutex_);
  const Tables& tables = tables_of(database);
  for (auto at = tables.upper_bound(exclusive_start); at != tables.end() && names.size() < limit;
       ++at) {
    names.push_back(at->first);
  }
  return names;
}

std::size_t Catalog::size(std::uint32_t database) const {
  const std::lock_guard lock(mutex_);
  return tables_of(database).size();
}

std::vector<TablePtr> Catalog::tables() const {
  std::vector<TablePtr> all;
  const std::lock_guard lock(mutex_);
  for (const auto& [database, tables] : tables_) {
    for (const auto& [name, table] : tables) all.push_back(table);
  }
  return all;
}

std::vector<std::uint32_t> Catalog::databases_with(std::string_view name) const {
  std::vector<std::uint32_t> found;
  const std::lock_guard lock(mutex_);
  for (const auto& [database, tables] : tables_) {
    if (name.empty() || tables.contains(name)) found.push_back(database);
  }
  return found;
}

std::int64_t Catalog::index_memory() const {
  std::int64_t bytes = 0;
  for (const TablePtr& table : tables()) {
    for (const auto& index : table->indexes) bytes += narrow<std::int64_t>(index->store->memory());
  }
  return bytes;
}

std::uint32_t Catalog::partition_count(const TableSchema& table,
                                       const ProvisionedThroughput& units) const {
  if (partitions_ != 0) return partitions_;
  if (table.billing == BillingMode::kPayPerRequest) return kOnDemandPartitions;
  const double needed = static_cast<double>(units.read_units) / kReadUnitsOfAPartition +
                        static_cast<double>(units.write_units) / kWriteUnitsOfAPartition;
  if (needed >= kMaxInitialPartitions) return kMaxInitialPartitions;
  return std::max(1U, static_cast<std::uint32_t>(needed + 0.999));  // at most the number above
}

std::uint32_t Catalog::wanted_partitions(const Table& table) const {
  const std::uint32_t by_units = partition_count(table.schema, table.schema.provisioned);
  const std::int64_t bytes = std::max<std::int64_t>(0, table.statistics->size_bytes);
  const auto by_size = narrow<std::uint32_t>((bytes + kBytesOfAPartition - 1) / kBytesOfAPartition);
  return std::max({table.schema.partition_count, by_units, by_size});
}

// Those of before, where they are still wanted. A new one has its record in the change, and its label
// in the schema.
Catalog::Logs Catalog::logs_for(TableSchema& schema, const Logs& former,
                                std::string_view former_label, Records::Change& records) {
  const auto goes_on = [](const StreamPtr& log, std::string_view label) {
    return log != nullptr && log->description().label == label;
  };
  Logs logs;
  if (schema.stream.enabled) {
    logs.stream = former.stream;
    if (!goes_on(logs.stream, schema.stream.label)) {
      logs.stream = streams_.create(schema, StreamUse::kClients, former_label, records);
      schema.stream.label = logs.stream->description().label;
    }
  }
  if (delivers(schema)) {
    logs.deliveries = former.deliveries;
    if (!goes_on(logs.deliveries, schema.kinesis->log_label)) {
      logs.deliveries = streams_.create(schema, StreamUse::kDeliveries, {}, records);
      auto labelled = std::make_shared<KinesisDestinations>(*schema.kinesis);
      labelled->log_label = logs.deliveries->description().label;
      schema.kinesis = std::move(labelled);
    }
  }
  return logs;
}

void Catalog::publish_new(const Logs& logs, const Logs& former) {
  if (logs.stream != nullptr && logs.stream != former.stream) streams_.publish(logs.stream);
  if (logs.deliveries != nullptr && logs.deliveries != former.deliveries) {
    streams_.publish(logs.deliveries);
  }
}

// Those that the schema names.
Catalog::Logs Catalog::stored_logs(const TableSchema& schema) {
  Logs logs;
  const auto find = [&](std::string_view label) {
    return streams_.find_stored(schema.database, stream_arn(schema.arn(), label));
  };
  if (schema.stream.enabled) logs.stream = find(schema.stream.label);
  if (delivers(schema)) logs.deliveries = find(schema.kinesis->log_label);
  return logs;
}

std::shared_ptr<const Index> Catalog::build_index(const TableSchema& table,
                                                  const IndexSchema& schema,
                                                  const Index* previous) const {
  if (previous != nullptr) return with_schema(*previous, schema);
  const std::uint32_t partitions = schema.has_own_throughput()
                                       ? partition_count(table, schema.provisioned)
                                       : table.partition_count;
  auto index = std::make_shared<Index>();
  index->schema = schema;
  index->store = open_index_store(engine_, table, schema, partitions);
  index->statistics = std::make_shared<Statistics>();
  index->dropped = std::make_shared<std::atomic<bool>>(false);
  // Servers that share a store have no common log of changes: entries are in the item's own batch.
  if (schema.is_asynchronous() && engine_.group() == nullptr) {
    index->applier = std::make_shared<IndexApplier>(
        IndexApplier::Parts{engine_, changes_, index->store, index->statistics, index->dropped});
  }
  return index;
}

std::shared_ptr<const ExpiryQueue> Catalog::build_expiry_queue(const TableSchema& table,
                                                               const Table* previous) const {
  const TimeToLive& time_to_live = table.time_to_live;
  if (time_to_live.queue_number == 0) return nullptr;
  if (previous != nullptr && previous->expiry != nullptr &&
      previous->expiry->number == time_to_live.queue_number) {
    return previous->expiry;
  }
  return std::make_shared<ExpiryQueue>(
      ExpiryQueue{time_to_live.attribute, time_to_live.queue_number,
                  engine_.open_tree(ColumnFamily::kExpiry,
                                    tree_prefix(table.number, time_to_live.queue_number)),
                  std::make_shared<std::atomic<bool>>(false)});
}

TablePtr Catalog::build(TableSchema schema, const Table* previous, Logs logs) const {
  auto table = std::make_shared<Table>();
  table->schema = std::move(schema);
  const TableSchema& built = table->schema;
  table->partitions = previous != nullptr ? previous->partitions
                                          : PartitionMap(engine_, ColumnFamily::kItems,
                                                         built.number, 0, built.partition_count);
  if (previous != nullptr) {
    table->statistics = previous->statistics;
  } else {
    table->statistics = std::make_shared<Statistics>();
    table->statistics->sized_for = ChargedSizes(built).fingerprint();
  }
  table->stream = std::move(logs.stream);
  table->deliveries = std::move(logs.deliveries);
  for (const IndexSchema& index : built.indexes) {
    table->indexes.push_back(build_index(built, index, find_by_number(previous, index.number)));
  }
  table->expiry = build_expiry_queue(built, previous);
  table->replication = open_replication(
      engine_, built, stamp_source_, previous == nullptr ? nullptr : previous->replication.get());
  table->history = build_history(built, previous);
  return table;
}

TablePtr Catalog::describe(TableSchema schema, const Table& table, const Table* previous) {
  auto described = std::make_shared<Table>();
  described->schema = std::move(schema);
  described->partitions = table.partitions;
  described->statistics = table.statistics;
  described->superseded = true;
  for (const IndexSchema& index : described->schema.indexes) {
    const Index* built = table.find_numbered_index(index.number);
    if (built == nullptr) built = find_by_number(previous, index.number);
    if (built != nullptr) {
      described->indexes.push_back(with_schema(*built, index));
    }
  }
  return described;
}

}  // namespace magneto::storage
