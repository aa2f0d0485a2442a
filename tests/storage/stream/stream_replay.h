#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "storage/stream/stream_log.h"

namespace magneto::storage {

// Reads a stream as a consumer does, parents before their children, and rebuilds the items from its
// records. Every record must fit the state before it, so one that is lost, repeated or out of its
// item's order fails the test. The stream must hold both images.
class StreamReplay {
 public:
  // Reads what there is; at most `limit` records of a shard at a time, as GetRecords does. True
  // when there was something.
  bool read(const StreamLog& stream, std::size_t limit = 1000);

  std::uint64_t records() const { return records_; }
  std::uint64_t ended_shards() const { return ended_; }
  // describe_item() of each item by that of its key attributes.
  const std::map<std::string, std::string>& items() const { return items_; }

 private:
  struct Progress {
    std::uint64_t position = 0;
    bool has_ended = false;
  };

  bool read_shard(const StreamLog& stream, std::uint32_t number, std::size_t limit);
  void apply(const StreamRecord& record);

  std::map<std::uint32_t, Progress> shards_;
  std::map<std::string, std::string> items_;
  std::uint64_t records_ = 0;
  std::uint64_t ended_ = 0;
};

}  // namespace magneto::storage
