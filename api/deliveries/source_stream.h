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

// Streams of tables as sources of events for functions. server/feeds/event_sources calls those, and knows
// nothing of storage.
namespace magneto::api {

// Of a shard; positions are the stream's own numbers, ascending in all of its shards.
struct SourceShard {
  std::uint32_t number = 0;  // not 0
  std::uint32_t parent = 0;  // 0, or of one that may be gone
  bool is_closed = false;
};

// Records of one shard that are told apart by their items' keys: `number` of `count`, the same for
// all changes of an item, over restarts too.
struct SourceLane {
  std::uint32_t number = 0;
  std::uint32_t count = 1;
};

struct SourceRecord {
  using Time = std::chrono::sys_time<std::chrono::microseconds>;

  std::uint64_t position = 0;
  Time made{};  // as the store's clock said then
  // As a function gets it in "Records". May be changed while it is looked at.
  std::string& json;
};

// What became of reading some records.
struct SourcePage {
  std::uint64_t next = 0;  // the position after what was read
  bool has_lost = false;   // records before it were older than a day
  bool has_ended = false;  // the shard has no more, and never will
};

// Writes a change as Lambda hands it to a function (AWS Lambda developer guide, "Using AWS Lambda with
// Amazon DynamoDB", "Example event"; of an expired item: Amazon DynamoDB developer guide, "DynamoDB
// Streams and Time to Live").
void write_function_record(json::Writer& writer, const storage::StreamSchema& stream,
                           const std::string& stream_arn, std::uint64_t sequence,
                           storage::Clock::TimePoint made, const storage::StreamRecord& record);

// The stream of a table: open, or closed a day ago at most. The databases must outlive it.
// Thread-safe.
class SourceStream {
 public:
  using Ptr = std::shared_ptr<const SourceStream>;
  // False: enough was read; this record is not part of the page.
  using Take = absl::FunctionRef<bool(const SourceRecord& record)>;

  // By the name of the table: those that such tables have or had, as ListStreams gives them, in
  // whichever databases; the oldest first. Looks once at each stream that there is.
  static std::map<std::string, std::vector<Ptr>> of_tables(storage::Databases& databases,
                                                           const std::set<std::string>& tables);
  // The one of that ARN in each database where there is one.
  static std::vector<Ptr> of_arn(storage::Databases& databases, std::string_view arn);
  static bool is_stream_arn(std::string_view arn);
  // That of a record made now, of whatever stream, unless that is ahead of the clock.
  static std::uint64_t position_of_now(storage::Databases& databases) {
    return storage::sequence_at(databases.main().clock().now());
  }

  // The same over restarts: 16 hexadecimal digits, unlike those of any other.
  const std::string& id() const { return id_; }
  const std::string& arn() const { return arn_; }
  const std::string& region() const { return log_->description().region; }
  const std::string& account() const { return log_->description().account; }
  std::string shard_id(std::uint32_t number) const;  // empty where it is gone
  // "142000000000000000000042" of a record
  static std::string sequence_number(std::uint64_t position);

  // The position behind all that can be read now. Cheap.
  std::uint64_t end() const { return log_->end(); }
  // That of a record made now, unless the stream is ahead of the clock.
  std::uint64_t position_of_now() const { return storage::sequence_at(clock_->now()); }
  // No record will be added.
  bool is_closed() const { return log_->is_closed(); }
  // Parents before their children.
  std::vector<SourceShard> shards() const;
  // The store's time.
  SourceRecord::Time now() const { return clock_->now(); }

  // From a position on, but not beyond `last`. One that is gone has ended. Throws what storage does.
  SourcePage read(std::uint32_t shard, std::uint64_t position, std::uint64_t last, SourceLane lane,
                  Take take) const;
  // All of the shard before the position was taken by its reader.
  void note_read(std::uint32_t shard, std::uint64_t position) const {
    log_->note_read(shard, position);
  }

 private:
  SourceStream(std::shared_ptr<const storage::StreamLog> log, const storage::Clock& clock);

  const std::shared_ptr<const storage::StreamLog> log_;
  const storage::Clock* const clock_;
  const std::string id_;
  const std::string arn_;
};

}  // namespace magneto::api
