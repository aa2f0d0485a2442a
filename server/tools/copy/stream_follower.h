#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/client/endpoint/endpoint_calls.h"
#include "server/formats/item_key.h"
#include "server/tools/copy/request_batch.h"
#include "server/tools/copy/stream_positions.h"
#include "server/tools/copy/table_copy.h"

namespace magneto::server::tools {

struct FollowedTable {
  std::string name;
  std::string stream_arn;
  formats::KeyNames keys;
};

// Applies the changes that streams tell to the target, from where the state says. A shard is read
// by one thread at a time, a page of it in memory, and only when all of its parent is applied: so
// the changes of an item are applied in their order. The state moves on when the target has
// acknowledged a page.
class CopyFollower {
 public:
  CopyFollower(const CopyContext& context, client::EndpointCalls& source,
               const StreamPositions& positions, std::vector<FollowedTable> tables)
      : context_(context), source_(source), positions_(positions), tables_(std::move(tables)) {}

  // Until all that was in the shards when it began is applied, or for as long as nobody asks it to
  // stop. Calls `meanwhile` in this thread every now and then. Throws std::runtime_error, a
  // sentence, when an endpoint fails or changes were lost; Stopped.
  void run(bool until_caught_up, const std::function<void()>& meanwhile);

  std::uint64_t changes() const { return changes_.load(std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;

  struct Shard {
    const FollowedTable* table = nullptr;
    std::string id;
    std::string parent;
    std::string iterator;  // empty: to be taken from the state's position
    Clock::time_point due;
    int empty_pages = 0;  // in a row
    unsigned pages = 0;
    // While it is to catch up: it has when it has applied the first record that came behind the end
    // that the shard had before it was read, or finds nothing for a while. A busy source would never
    // be without changes.
    std::optional<std::string> goal_iterator;  // empty: there will be no such record
    std::string goal;                          // that record's sequence number, once it came
    std::string applied;                       // the last one's
    bool has_caught_up = false;
    bool is_busy = false;
    bool is_ended = false;
  };
  using ShardKey = std::pair<std::string, std::string>;  // table, id

  class Worker;

  void list_shards();
  void list_shards_of(const FollowedTable& table);
  void work();
  Shard* next_shard();  // requires mutex_; nullptr: none is due
  bool is_ready(const Shard& shard) const;
  bool is_caught_up();
  void fail();

  const CopyContext& context_;
  client::EndpointCalls& source_;  // of the thread that calls run()
  const StreamPositions& positions_;
  const std::vector<FollowedTable> tables_;
  std::atomic<std::uint64_t> changes_{0};
  bool is_catching_up_ = false;  // changes while no thread runs

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::map<ShardKey, Shard> shards_;  // elements stay where they are
  bool is_listing_due_ = true;        // a shard ended, so it may have children
  bool is_over_ = false;
  std::exception_ptr thrown_;
};

}  // namespace magneto::server::tools
