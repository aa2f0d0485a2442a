#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "api/deliveries/change_feed.h"

namespace magneto::server::feeds {

// Records that wait to be sent, given out request by request: none holds two changes of one item, so
// that none overtakes another where only a part of a request is taken.
class OrderedRecords {
 public:
  // PutRecords: records, and bytes of data and partition keys.
  static constexpr std::size_t kMostRecords = 500;
  static constexpr std::size_t kMostBytes = std::size_t{5} << 20;
  // Of one record, data and partition key; Kinesis streams can be set to take longer ones.
  static constexpr std::size_t kLongestRecord = std::size_t{1} << 20;

  bool empty() const { return waiting_.empty(); }
  std::size_t size() const { return waiting_.size(); }
  // Of all that are held, those too that wait no more.
  std::size_t bytes() const { return bytes_; }
  // Where there is any: the place of the first that waits.
  std::size_t first() const { return waiting_.front(); }
  // In place of those that there are.
  void set(std::vector<api::FeedRecord> records);
  void clear();

  // Places of the records of the next request, one at least where there is any: the first that
  // waits of each item. One that is longer than kLongestRecord is alone.
  std::vector<std::size_t> next_request() const;
  const api::FeedRecord& at(std::size_t place) const { return records_[place]; }
  static bool is_too_long(const api::FeedRecord& record) {
    return size_of(record) > kLongestRecord;
  }

  // They wait no more; ascending.
  void remove(std::span<const std::size_t> places);

 private:
  static std::size_t size_of(const api::FeedRecord& record) {
    return record.data.size() + record.partition_key.size();
  }

  std::vector<api::FeedRecord> records_;
  std::vector<std::size_t> waiting_;  // places, ascending
  std::size_t bytes_ = 0;
};

}  // namespace magneto::server::feeds
