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

// The changes to send to a table's Kinesis destination. server/feeds/delivery sends them, and does
// not know storage.
namespace magneto::api {

// A record for PutRecords.
struct FeedRecord {
  // 32 hexadecimal digits, the same for all changes of one item of one table, as in AWS.
  std::string partition_key;
  std::string data;            // JSON
  std::uint64_t position = 0;  // ascending
};

struct FeedPage {
  std::vector<FeedRecord> records;  // the records of one item are in the order of its changes
  std::uint64_t next = 0;           // the position after them
  bool has_lost = false;            // records before them were older than a day, so dropped
};

// Writes a change as AWS writes it into a Kinesis data stream ("Amazon Kinesis Data Streams for
// DynamoDB", as seen in its records, 2022 to 2024). `stream` is the stream schema of deliveries.
void write_kinesis_record(json::Writer& writer, const storage::StreamSchema& stream,
                          std::uint64_t sequence, storage::Clock::TimePoint made,
                          const storage::StreamRecord& record, storage::TimePrecision precision);

// The changes of one table for one destination. They start when the destination is enabled, end
// when it is disabled or the table is deleted, and are kept for a day. Positions are local to the
// process; 0 is the first. The databases must outlive this object. Not thread-safe.
class ChangeFeed {
 public:
  // nullptr if the table has no destination to send to.
  static std::shared_ptr<ChangeFeed> of(storage::Database& database, std::string_view table);

  // Stable across restarts and unique: 16 hexadecimal digits.
  const std::string& id() const { return id_; }
  const std::string& stream_arn() const { return stream_arn_; }
  std::string stream_name() const;  // of the Kinesis stream
  std::string region() const;       // of the Kinesis stream
  const std::string& table_arn() const { return table_arn_; }
  // Whether both feeds are of one table: then the older feed must be sent first.
  bool is_of_same_table(const ChangeFeed& other) const;

  // The destination is ENABLING: send nothing before end_enabling().
  bool is_enabling() const { return is_enabling_; }
  // The destination has been ENABLING for the control-plane delay.
  bool may_end_enabling() const { return !database_->is_within_delay(changed_); }
  // Seconds since the destination began ENABLING, by the store's clock.
  double seconds_enabling() const { return database_->clock().epoch_seconds() - changed_; }
  // Sets the destination to ACTIVE, or to failed; a failed one captures nothing more. May wait for
  // the disk.
  enum class Found : std::uint8_t { kUsable, kNoStream, kInactiveStream };
  void end_enabling(Found found);

  // Reads from a position on, about `max_bytes` and `max_records`; at least one record if there is
  // one. Includes records longer than kLongestRecord: the sender handles them.
  FeedPage read(std::uint64_t position, std::size_t max_records, std::size_t max_bytes) const;
  // The position after the last record that can be read now. Cheap.
  std::uint64_t end() const { return log_->end(); }
  // As StreamLog::position_of_now().
  std::uint64_t position_of_now() const { return log_->position_of_now(); }
  // Whether there is nothing to read at the position now. Cheap.
  bool is_at_end(std::uint64_t position) const { return end() <= position; }
  // No record will be added: the destination is disabled, or the table is deleted.
  bool has_closed() const { return log_->is_closed(); }
  // The feed is closed, and all its records lie before the position.
  bool has_ended(std::uint64_t position) const;
  // The age of the first record at or after the position, in seconds; 0 if there is none.
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

// The feeds of all tables in all databases. With `adopts`, starts to capture the changes of tables
// whose destination was enabled while nothing was sent. Walks all tables. May wait for the disk.
std::vector<std::shared_ptr<ChangeFeed>> find_feeds(storage::Databases& databases, bool adopts);

}  // namespace magneto::api
