#include "storage/stream/stream_catalog.h"

#include <algorithm>
#include <random>
#include <utility>

#include "storage/encoding/keyspace.h"
#include "storage/encoding/schema_encoding.h"
#include "storage/model/narrow.h"

namespace magneto::storage {
namespace {

std::uint64_t new_secret() {
  std::random_device random;
  return std::uint64_t{random()} << 32 | random();
}

}  // namespace

StreamCatalog::StreamCatalog(Engine& engine, const Clock& clock)
    : engine_(engine), clock_(clock), records_(engine) {}

void StreamCatalog::load() {
  if (!records_.are_stored()) return;
  if (const PinnedValue last = engine_.get(*records_.tree(), counter_key(kStreamCounter))) {
    last_number_ = read_uint32(last.bytes());
  }
  load_unknown();
}

std::map<std::uint32_t, StreamSchema> StreamCatalog::stored() const {
  std::map<std::uint32_t, StreamSchema> found;
  const std::string first(kStreamPrefix);
  const auto cursor =
      engine_.scan(*records_.tree(), first, prefix_successor(first), Direction::kForward);
  while (cursor->next()) {
    StreamSchema schema = decode_stream(cursor->value());
    schema.database = database_of_stream(cursor->key());
    const std::uint32_t number = schema.number;
    found.emplace(number, std::move(schema));
  }
  return found;
}

void StreamCatalog::load_unknown() {
  for (auto& [number, schema] : stored()) {
    if (known(schema.database, schema.arn()) != nullptr) continue;
    publish(std::make_shared<StreamLog>(records_, clock_, std::move(schema)));
  }
}

void StreamCatalog::fork_from(const StreamsSnapshot& snapshot,
                              absl::FunctionRef<TreePtr(const TreePtr&)> overlay_of) {
  last_number_ = snapshot.last_number;
  for (StreamSnapshot stream : snapshot.streams) {
    if (!stream.schema.is_for_clients()) continue;
    for (TreePtr& tree : stream.trees) tree = overlay_of(tree);
    publish(std::make_shared<StreamLog>(engine_, clock_, std::move(stream)));
  }
}

StreamsSnapshot StreamCatalog::snapshot() const {
  StreamsSnapshot snapshot;
  const std::lock_guard lock(mutex_);
  snapshot.last_number = last_number_;
  for (const auto& [database, streams] : streams_) {
    for (const auto& [arn, stream] : streams) snapshot.streams.push_back(stream->snapshot());
  }
  return snapshot;
}

StreamPtr StreamCatalog::create(const TableSchema& table, StreamUse use,
                                std::string_view previous_label, Records::Change& records) {
  const bool for_clients = use == StreamUse::kClients;
  StreamSchema schema;
  schema.database = table.database;
  schema.table_number = table.number;
  schema.region = table.region;
  schema.account = table.account;
  schema.table_name = table.name;
  schema.view_type = for_clients ? table.stream.view_type : "NEW_AND_OLD_IMAGES";
  schema.key = table.key;
  const Clock::TimePoint now = clock_.now();
  schema.created = milliseconds_of(now);
  schema.secret = new_secret();
  // Only changes of tables assign numbers, one at a time.
  schema.number = records.next_number(counter_key(kStreamCounter), last_number_);
  {
    const std::lock_guard lock(mutex_);
    last_number_ = schema.number;
    // The previous label may be of a much later time if the clock was set back.
    std::int64_t named = std::max(schema.created, milliseconds_of_label(previous_label) + 1);
    do {
      schema.label = for_clients ? "" : kDeliveriesLabel;
      schema.label += stream_label(named++);
    } while (streams_of(schema.database).contains(schema.arn()));
  }
  // Other servers may draw lower numbers than the one of this server's time.
  ServerGroup* const group = engine_.group();
  const SequenceScale scale(engine_.shared_since());
  const std::uint64_t first = group == nullptr ? scale.at(now) : scale.of_version(group->settled());
  open_shards(schema, for_clients ? table.partition_count : 1, {schema.created, first});
  if (records_.are_stored()) {
    records.put(stream_key(schema.database, schema.number), encode_stream(schema));
  }
  return std::make_shared<StreamLog>(records_, clock_, std::move(schema));
}

void StreamCatalog::publish(const StreamPtr& stream) {
  {
    const std::lock_guard lock(mutex_);
    streams_[stream->description().database].insert_or_assign(stream->arn(), stream);
  }
  if (on_new_) on_new_(*stream);
}

const StreamCatalog::Streams& StreamCatalog::streams_of(std::uint32_t database) const {
  static const Streams kNone;
  const auto found = streams_.find(database);
  return found == streams_.end() ? kNone : found->second;
}

StreamPtr StreamCatalog::known(std::uint32_t database, std::string_view arn) const {
  const std::lock_guard lock(mutex_);
  const Streams& streams = streams_of(database);
  const auto found = streams.find(arn);
  return found == streams.end() ? nullptr : found->second;
}

StreamPtr StreamCatalog::find(std::uint32_t database, std::string_view arn) const {
  StreamPtr stream = known(database, arn);
  if (stream == nullptr || !stream->description().is_for_clients()) return nullptr;
  return stream->is_expired() ? nullptr : stream;
}

StreamPtr StreamCatalog::find_stored(std::uint32_t database, const std::string& arn) {
  StreamPtr stream = known(database, arn);
  if (stream != nullptr || !records_.are_stored()) return stream;
  load_unknown();
  return known(database, arn);
}

std::vector<std::shared_ptr<const StreamLog>> StreamCatalog::list(std::uint32_t database,
                                                                  std::string_view table_name,
                                                                  std::string_view exclusive_start,
                                                                  std::size_t limit) const {
  std::vector<std::shared_ptr<const StreamLog>> found;
  const std::lock_guard lock(mutex_);
  const Streams& streams = streams_of(database);
  for (auto at = streams.upper_bound(exclusive_start); at != streams.end() && found.size() < limit;
       ++at) {
    const StreamPtr& stream = at->second;
    if (!stream->description().is_for_clients()) continue;
    if (!table_name.empty() && stream->description().table_name != table_name) continue;
    if (!stream->is_expired()) found.push_back(stream);
  }
  return found;
}

std::vector<StreamPtr> StreamCatalog::all() const {
  std::vector<StreamPtr> all;
  const std::lock_guard lock(mutex_);
  for (const auto& [database, streams] : streams_) {
    for (const auto& [arn, stream] : streams) all.push_back(stream);
  }
  return all;
}

void StreamCatalog::remove(const StreamPtr& stream) {
  const std::uint32_t database = stream->description().database;
  stream->clear();
  std::string key = stream_key(database, stream->description().number);
  records_.change({key}, [&](Records::Change& records) {
    records.remove(key);
    return true;
  });
  forget(*stream);
  records_.announce({std::move(key)});
}

void StreamCatalog::forget(const StreamLog& stream) {
  const std::lock_guard lock(mutex_);
  const auto streams = streams_.find(stream.description().database);
  if (streams == streams_.end()) return;
  streams->second.erase(stream.arn());
  if (streams->second.empty()) streams_.erase(streams);
}

void StreamCatalog::take_over(std::string_view record_key) {
  const std::uint32_t database = database_of_stream(record_key);
  for (const StreamPtr& stream : all()) {
    const StreamSchema& description = stream->description();
    if (stream_key(description.database, description.number) != record_key) continue;
    if (!stream->take_over()) forget(*stream);
    return;
  }
  const PinnedValue record = engine_.get(*records_.tree(), record_key);
  if (!record) return;
  StreamSchema schema = decode_stream(record.bytes());
  schema.database = database;
  publish(std::make_shared<StreamLog>(records_, clock_, std::move(schema)));
}

// What changes after the records are read is announced.
void StreamCatalog::take_over_all() {
  std::map<std::uint32_t, StreamSchema> found = stored();
  for (const StreamPtr& stream : all()) {
    const auto record = found.extract(stream->description().number);
    if (record && stream->is_like(record.mapped())) continue;
    if (!stream->take_over()) forget(*stream);
  }
  for (auto& [number, schema] : found) {
    publish(std::make_shared<StreamLog>(records_, clock_, std::move(schema)));
  }
}

}  // namespace magneto::storage
