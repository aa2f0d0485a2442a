#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "api/deliveries/change_feed.h"

namespace magneto::server::feeds {

// Records that wait to be sent, delivered in requests. No request contains two changes of one item.
// So no change overtakes another if only part of a request is taken.
class OrderedRecords {
 public:
  // The limits of PutRecords: records, and bytes of data and partition keys.
  static constexpr std::size_t kMostRecords = 500;
  static constexpr std::size_t kMostBytes = std::size_t{5} << 20;
  // Bytes of one record, data and partition key. Kinesis streams can be configured to take longer
  // ones.
  static constexpr std::size_t kLongestRecord = std::size_t{1} << 20;

  bool empty() const { return waiting_.empty(); }
  std::size_t size() const { return waiting_.size(); }
  // Bytes of all records in memory, including those that no longer wait.
  std::size_t bytes() const { return bytes_; }
  // The place of the first waiting record. Call it only if there is one.
  std::size_t first() const { return waiting_.front(); }
  // Replaces all records.
  void set(std::vector<api::FeedRecord> records);
  void clear();

  // The places of the records for the next request: the first waiting record of each item, at least
  // one if any waits. A record that is longer than kLongestRecord is sent alone.
  std::vector<std::size_t> next_request() const;
  const api::FeedRecord& at(std::size_t place) const { return records_[place]; }
  static bool is_too_long(const api::FeedRecord& record) {
    return size_of(record) > kLongestRecord;
  }

  // Removes the records at these places, in ascending order, from those that wait.
  void remove(std::span<const std::size_t> places);

 private:
  static std::size_t size_of(const api::FeedRecord& record) {
    return record.data.size() + record.partition_key.size();
  }

  std::vector<api::FeedRecord> records_;
  std::vector<std::size_t> waiting_;  // places of waiting records, ascending
  std::size_t bytes_ = 0;
};

}  // namespace magneto::server::feeds
