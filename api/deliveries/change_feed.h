#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/json/json_writer.h"
#include "storage/databases.h"
#include "storage/model/kinesis_destinations.h"

// What a table's Kinesis destination is to be sent. server/feeds/delivery sends it, and knows nothing of
// storage.
namespace magneto::api {

// For PutRecords.
struct FeedRecord {
  // 32 hexadecimal digits, the same for all changes of one item of one table, as AWS has them.
  std::string partition_key;
  std::string data;            // JSON
  std::uint64_t position = 0;  // ascending
};

struct FeedPage {
  std::vector<FeedRecord> records;  // each item's in the order of its changes
  std::uint64_t next = 0;           // the position after them
  bool has_lost = false;            // records before them were older than a day
};

// A change as AWS writes it into a Kinesis data stream ("Amazon Kinesis Data Streams for DynamoDB",
// as seen in its records, 2022 to 2024). `stream` is that of deliveries.
void write_kinesis_record(json::Writer& writer, const storage::StreamSchema& stream,
                          std::uint64_t sequence, storage::Clock::TimePoint made,
                          const storage::StreamRecord& record, storage::TimePrecision precision);

// The changes of one table for one destination, from when that was enabled until it is disabled or
// the table deleted, and kept for a day. Positions are the process's own numbers; 0 is the first.
// The databases must outlive it. For one thread at a time.
class ChangeFeed {
 public:
  // nullptr when nothing of the table is to be sent.
  static std::shared_ptr<ChangeFeed> of(storage::Database& database, std::string_view table);

  // The same over restarts: 16 hexadecimal digits, unlike those of any other.
  const std::string& id() const { return id_; }
  const std::string& stream_arn() const { return stream_arn_; }
  std::string stream_name() const;  // Kinesis's
  std::string region() const;       // of that stream
  const std::string& table_arn() const { return table_arn_; }
  // Whether both are of one table, so that the one that began first is to be sent first.
  bool is_of_same_table(const ChangeFeed& other) const;

  // The destination is ENABLING: nothing is to be sent before end_enabling().
  bool is_enabling() const { return is_enabling_; }
  // And has been for the control-plane delay.
  bool may_end_enabling() const { return !database_->is_within_delay(changed_); }
  // For how many seconds, by the store's clock.
  double seconds_enabling() const { return database_->clock().epoch_seconds() - changed_; }
  // The destination is ACTIVE, or has failed: then nothing more is captured. May wait for the disk.
  enum class Found : std::uint8_t { kUsable, kNoStream, kInactiveStream };
  void end_enabling(Found found);

  // From a position on: about so many bytes and records, one at least where there is one. Records
  // longer than kLongestRecord are left for who sends to find out.
  FeedPage read(std::uint64_t position, std::size_t max_records, std::size_t max_bytes) const;
  // The position behind all that can be read now. Cheap.
  std::uint64_t end() const { return log_->end(); }
  // That of a change made now, unless the stream is ahead of the clock.
  std::uint64_t position_of_now() const { return storage::sequence_at(database_->clock().now()); }
  // Whether there is nothing to be read there now. Cheap.
  bool is_at_end(std::uint64_t position) const { return end() <= position; }
  // Nothing will be added: its destination is disabled, or its table deleted.
  bool has_closed() const { return log_->is_closed(); }
  // And all there will ever be lies before the position.
  bool has_ended(std::uint64_t position) const;
  // How many seconds old the first record there is; 0: there is none.
  double lag(std::uint64_t position) const;

 private:
  ChangeFeed() = default;

  storage::Database* database_ = nullptr;
  std::shared_ptr<const storage::StreamLog> log_;
  std::string id_;
  std::string table_name_;
  std::string table_arn_;
  std::uint32_t table_number_ = 0;
  std::string stream_arn_;
  storage::TimePrecision precision_ = storage::TimePrecision::kNotGiven;
  bool is_enabling_ = false;
  double changed_ = 0;
};

// Those of all tables of all databases. With `adopts`, tables whose destination was enabled while
// nothing was sent have their changes captured from now on. Walks all tables. May wait for the disk.
std::vector<std::shared_ptr<ChangeFeed>> find_feeds(storage::Databases& databases, bool adopts);

}  // namespace magneto::api
