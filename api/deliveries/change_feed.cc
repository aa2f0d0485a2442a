#include "api/deliveries/change_feed.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "api/deliveries/destinations.h"
#include "api/messages/delivery_messages.h"
#include "api/streams/stream_record_json.h"
#include "storage/encoding/digest.h"

namespace magneto::api {

using storage::DestinationStatus;
using storage::KinesisDestination;
using storage::KinesisDestinations;
using storage::StreamLog;
using storage::StreamSchema;
using storage::StreamShard;
using storage::TablePtr;
using storage::TableSchema;
using storage::TimePrecision;

namespace {

std::string hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += kDigits[value >> 4];
    text += kDigits[value & 15];
  }
  return text;
}

std::string partition_key_of(const StreamSchema& stream, storage::ItemView keys) {
  storage::DigestBuilder digest;
  digest.add(std::to_string(stream.table_number));
  digest.add(keys.bytes());
  return hex(storage::bytes_of(digest.finish()));
}

// Formatted like a random (version 4) UUID.
std::string event_uuid(const StreamSchema& stream, std::uint64_t sequence) {
  std::string id = event_id(stream, sequence);
  id[12] = '4';
  id[16] = "89ab"[static_cast<unsigned char>(id[16]) & 3];
  for (const std::size_t place : {20, 16, 12, 8}) id.insert(place, 1, '-');
  return id;
}

std::string id_of(const StreamSchema& stream) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(stream.secret));
  return text;
}

// The destination that is neither disabled nor failed; nullptr if there is none.
const KinesisDestination* live_destination(const TableSchema& schema,
                                           const storage::Database& database) {
  if (schema.kinesis == nullptr) return nullptr;
  for (const KinesisDestination& destination : schema.kinesis->destinations) {
    const DestinationStatus status = standing_of(destination, database, true).status;
    const bool is_ending = status == DestinationStatus::kDisabling;
    const bool will_fail = !destination.status_description.empty();
    if (is_live(status) && !is_ending && !will_fail) return &destination;
  }
  return nullptr;
}

std::string_view part_of_arn(std::string_view arn, int index) {
  for (; index > 0; --index) arn.remove_prefix(std::min(arn.size(), arn.find(':') + 1));
  return arn.substr(0, arn.find(':'));
}

void adopt(storage::Database& database, const std::string& table) {
  database.update_table(table, [](TableSchema& schema) {
    if (schema.kinesis == nullptr || schema.kinesis->captures) return;
    auto captured = std::make_shared<KinesisDestinations>(*schema.kinesis);
    captured->captures = true;
    schema.kinesis = std::move(captured);
  });
}

}  // namespace

void write_kinesis_record(json::Writer& writer, const StreamSchema& stream, std::uint64_t sequence,
                          storage::Clock::TimePoint made, const storage::StreamRecord& record,
                          TimePrecision precision) {
  const auto since = made.time_since_epoch();
  const bool in_microseconds = precision == TimePrecision::kMicrosecond;
  writer.begin_object();
  writer.text("awsRegion", stream.region);
  writer.text("eventID", event_uuid(stream, sequence));
  writer.text("eventName", event_name(record.kind));
  writer.key("userIdentity");
  if (record.by_time_to_live) {
    writer.begin_object();
    writer.text("principalId", "dynamodb.amazonaws.com");
    writer.text("type", "Service");
    writer.end_object();
  } else {
    writer.null();
  }
  writer.text("recordFormat", "application/json");
  writer.text("tableName", stream.table_name);
  writer.key("dynamodb");
  writer.begin_object();
  writer.key("ApproximateCreationDateTime");
  writer.integer(in_microseconds ? std::chrono::floor<std::chrono::microseconds>(since).count()
                                 : std::chrono::floor<std::chrono::milliseconds>(since).count());
  write_image(writer, "Keys", record.keys);
  write_image(writer, "NewImage", record.new_image);
  write_image(writer, "OldImage", record.old_image);
  writer.integer("SizeBytes", static_cast<std::int64_t>(stream_record_size(record)));
  if (in_microseconds) writer.text("ApproximateCreationDateTimePrecision", text_of(precision));
  writer.end_object();
  writer.text("eventSource", "aws:dynamodb");
  writer.end_object();
}

std::shared_ptr<ChangeFeed> ChangeFeed::of(storage::Database& database, std::string_view table) {
  const TablePtr found = database.find_table(table);
  if (found == nullptr || found->deliveries == nullptr) return nullptr;
  const KinesisDestination* const destination = live_destination(found->schema, database);
  if (destination == nullptr) return nullptr;
  std::shared_ptr<ChangeFeed> feed(new ChangeFeed);
  feed->database_ = &database;
  feed->log_ = found->deliveries;
  feed->id_ = id_of(found->deliveries->description());
  feed->table_name_ = found->schema.name;
  feed->table_arn_ = found->schema.arn();
  feed->table_number_ = found->schema.number;
  feed->stream_arn_ = destination->stream_arn;
  feed->precision_ = destination->precision;
  feed->is_enabling_ = destination->status == DestinationStatus::kEnabling;
  feed->changed_ = destination->changed;
  return feed;
}

std::string ChangeFeed::stream_name() const {
  return stream_arn_.substr(stream_arn_.rfind('/') + 1);
}

std::string ChangeFeed::region() const { return std::string(part_of_arn(stream_arn_, 3)); }

bool ChangeFeed::is_of_same_table(const ChangeFeed& other) const {
  return table_number_ == other.table_number_;  // unique in the whole store
}

void ChangeFeed::end_enabling(Found found) {
  const bool is_usable = found == Found::kUsable;
  database_->update_table(table_name_, [&](TableSchema& schema) {
    const bool is_same = schema.number == table_number_ && schema.kinesis != nullptr &&
                         schema.kinesis->log_label == log_->description().label;
    if (!is_same) return;
    auto all = std::make_shared<KinesisDestinations>(*schema.kinesis);
    KinesisDestination* const destination = find_destination(*all, stream_arn_);
    if (destination == nullptr || destination->status != DestinationStatus::kEnabling) return;
    destination->status = is_usable ? DestinationStatus::kActive : DestinationStatus::kEnableFailed;
    if (!is_usable) {
      destination->status_description =
          found == Found::kInactiveStream ? messages::kStreamNotActive : messages::kNoUsableStream;
      all->captures = false;
    }
    schema.kinesis = std::move(all);
  });
  is_enabling_ = false;
}

FeedPage ChangeFeed::read(std::uint64_t position, std::size_t max_records,
                          std::size_t max_bytes) const {
  FeedPage page;
  // Taken before the shards are read: everything below this position is in the known shards.
  const std::uint64_t behind = end();
  const StreamSchema stream = log_->schema();
  const std::uint64_t horizon = log_->horizon();
  page.next = std::max(position, horizon);
  std::size_t bytes = 0;
  // Shards form one range: each begins where the previous one ends.
  for (const StreamShard& shard : stream.shards) {
    if (position < horizon && !page.has_lost) {
      std::optional<storage::StreamCursor> older;
      page.has_lost = log_->read(shard.number, position, older) == StreamLog::Access::kTrimmed;
    }
    if (shard.closed != 0 && shard.last_sequence < page.next) continue;
    std::optional<storage::StreamCursor> cursor;
    StreamLog::Access access = log_->read(shard.number, page.next, cursor);
    if (access == StreamLog::Access::kTrimmed) {
      // The horizon has advanced in the meantime.
      page.has_lost = true;
      page.next = log_->horizon();
      access = log_->read(shard.number, page.next, cursor);
    }
    if (access != StreamLog::Access::kGiven) continue;
    while (cursor->next()) {
      const std::uint64_t sequence = cursor->sequence();
      const storage::StreamRecord record = cursor->record();
      FeedRecord& made = page.records.emplace_back();
      made.partition_key = partition_key_of(stream, record.keys);
      made.position = sequence;
      json::Writer writer(made.data);
      write_kinesis_record(writer, stream, sequence, cursor->made(), record, precision_);
      bytes += made.data.size();
      page.next = sequence + 1;
      if (page.records.size() >= max_records || bytes >= max_bytes) return page;
    }
    if (!cursor->shard_has_ended()) break;
  }
  page.next = std::max(page.next, behind);  // everything below it has been read
  return page;
}

bool ChangeFeed::has_ended(std::uint64_t position) const {
  return log_->is_closed() && is_at_end(position);
}

double ChangeFeed::lag(std::uint64_t position) const {
  if (is_at_end(position)) return 0;
  for (const StreamShard& shard : log_->schema().shards) {
    std::optional<storage::StreamCursor> cursor;
    const std::uint64_t from = std::max(position, log_->horizon());
    if (log_->read(shard.number, from, cursor) != StreamLog::Access::kGiven) continue;
    if (!cursor->next()) continue;
    const std::chrono::duration<double> age = database_->clock().now() - cursor->made();
    return std::max(age.count(), 0.0);
  }
  return 0;
}

std::vector<std::shared_ptr<ChangeFeed>> find_feeds(storage::Databases& databases, bool adopts) {
  constexpr std::size_t kPage = 100;
  std::vector<std::shared_ptr<ChangeFeed>> feeds;
  for (storage::Database* const database : databases.all()) {
    std::vector<std::string> names = database->list_tables({}, kPage);
    while (!names.empty()) {
      for (const std::string& name : names) {
        const TablePtr table = database->find_table(name);
        if (table == nullptr || table->schema.kinesis == nullptr) continue;
        const bool is_idle = table->deliveries == nullptr &&
                             table->schema.status != storage::ResourceStatus::kDeleting;
        if (adopts && is_idle && live_destination(table->schema, *database) != nullptr) {
          adopt(*database, name);
        }
        if (auto feed = ChangeFeed::of(*database, name)) feeds.push_back(std::move(feed));
      }
      names = database->list_tables(names.back(), kPage);
    }
  }
  return feeds;
}

}  // namespace magneto::api
