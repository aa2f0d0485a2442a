#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "api/json/json_writer.h"
#include "storage/databases.h"

// Streams of tables as event sources for functions. server/feeds/event_sources calls the functions,
// and does not know storage.
namespace magneto::api {

// A shard of a stream. Positions belong to the stream and ascend in each of its shards.
struct SourceShard {
  std::uint32_t number = 0;  // never 0
  std::uint32_t parent = 0;  // 0, or a shard that may be gone
  bool is_closed = false;
};

// A part of the records of a shard, chosen by the keys of their items: lane `number` of `count`.
// All changes of an item are in one lane, even after a restart.
struct SourceLane {
  std::uint32_t number = 0;
  std::uint32_t count = 1;
};

struct SourceRecord {
  using Time = std::chrono::sys_time<std::chrono::microseconds>;

  std::uint64_t position = 0;
  Time made{};  // by the store's clock at that time
  // As a function gets it in "Records". The reader may modify it during the call.
  std::string& json;
};

// The result of reading records.
struct SourcePage {
  std::uint64_t next = 0;  // the position after the records read
  bool has_lost = false;   // records before it were dropped because they were older than a day
  bool has_ended = false;  // the shard has no more records, and never will have any
};

// Writes a change as Lambda passes it to a function (AWS Lambda developer guide, "Using AWS Lambda
// with Amazon DynamoDB", "Example event"; for an expired item: Amazon DynamoDB developer guide,
// "DynamoDB Streams and Time to Live").
void write_function_record(json::Writer& writer, const storage::StreamSchema& stream,
                           const std::string& stream_arn, std::uint64_t sequence,
                           storage::Clock::TimePoint made, const storage::StreamRecord& record);

// The stream of a table, either open or closed at most a day ago. The databases must outlive this
// object. Thread-safe.
class SourceStream {
 public:
  using Ptr = std::shared_ptr<const SourceStream>;
  // Returns false if enough was read; then this record is not part of the page.
  using Take = absl::FunctionRef<bool(const SourceRecord& record)>;

  // Streams by table name: those that these tables have or had, as ListStreams lists them, in all
  // databases; the oldest first. Looks once at each existing stream.
  static std::map<std::string, std::vector<Ptr>> of_tables(storage::Databases& databases,
                                                           const std::set<std::string>& tables);
  // The stream with that ARN in each database that has one.
  static std::vector<Ptr> of_arn(storage::Databases& databases, std::string_view arn);
  static bool is_stream_arn(std::string_view arn);
  // The position of a record made now, in any stream, unless that stream is ahead of the clock.
  static std::uint64_t position_of_now(storage::Databases& databases) {
    return databases.stream_position_of(databases.main().clock().now());
  }

  // Stable across restarts and unique: 16 hexadecimal digits.
  const std::string& id() const { return id_; }
  const std::string& arn() const { return arn_; }
  const std::string& region() const { return log_->description().region; }
  const std::string& account() const { return log_->description().account; }
  std::string shard_id(std::uint32_t number) const;  // empty if the shard is gone
  // The sequence number of a record, for example "142000000000000000000042".
  static std::string sequence_number(std::uint64_t position);

  // The position after the last record that can be read now. Cheap.
  std::uint64_t end() const { return log_->end(); }
  // As StreamLog::position_of_now().
  std::uint64_t position_of_now() const { return log_->position_of_now(); }
  // No record will be added.
  bool is_closed() const { return log_->is_closed(); }
  // Parents before their children.
  std::vector<SourceShard> shards() const;
  // The time of the store's clock.
  SourceRecord::Time now() const { return clock_->now(); }

  // Reads from a position on, but not beyond `last`. A shard that is gone has ended. Throws the
  // exceptions of storage.
  SourcePage read(std::uint32_t shard, std::uint64_t position, std::uint64_t last, SourceLane lane,
                  Take take) const;
  // The reader has processed all records of the shard before the position.
  void record_read(std::uint32_t shard, std::uint64_t position) const {
    log_->record_read(shard, position);
  }

 private:
  SourceStream(std::shared_ptr<const storage::StreamLog> log, const storage::Clock& clock);

  const std::shared_ptr<const storage::StreamLog> log_;
  const storage::Clock* const clock_;
  const std::string id_;
  const std::string arn_;
};

}  // namespace magneto::api
