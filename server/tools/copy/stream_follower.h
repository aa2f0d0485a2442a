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

// Applies the changes in streams to the target, starting at the positions in the state. One thread
// at a time reads a shard, one page in memory, and only after its parent was applied completely. So
// the changes of an item are applied in their order. The state advances when the target has
// acknowledged a page.
class CopyFollower {
 public:
  CopyFollower(const CopyContext& context, client::EndpointCalls& source,
               const StreamPositions& positions, std::vector<FollowedTable> tables)
      : context_(context), source_(source), positions_(positions), tables_(std::move(tables)) {}

  // With `until_caught_up`, runs until all changes that were in the shards at the start are
  // applied; otherwise until the user stops it. Calls `meanwhile` on this thread regularly. Throws
  // Stopped, and std::runtime_error with a sentence if an endpoint fails or changes were lost.
  void run(bool until_caught_up, const std::function<void()>& meanwhile);

  std::uint64_t changes() const { return changes_.load(std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;

  struct Shard {
    const FollowedTable* table = nullptr;
    std::string id;
    std::string parent;
    std::string iterator;  // empty: get one for the state's position
    Clock::time_point due;
    int empty_pages = 0;  // in a row
    unsigned pages = 0;
    // For catching up. The shard has caught up when it has applied the first record after its end
    // at the start of reading, or if it finds no records for a while. A busy source is
    // never without changes.
    std::optional<std::string> goal_iterator;  // empty: no such record can follow
    std::string goal;                          // that record's sequence number, once it was read
    std::string applied;                       // the number of the last applied record
    bool has_caught_up = false;
    bool is_busy = false;
    bool is_ended = false;
  };
  using ShardKey = std::pair<std::string, std::string>;  // table, id

  class Worker;

  void list_shards();
  void list_shards_of(const FollowedTable& table);
  void work();
  Shard* next_shard();  // requires mutex_; nullptr if none is due
  bool is_ready(const Shard& shard) const;
  bool is_caught_up();
  void fail();

  const CopyContext& context_;
  client::EndpointCalls& source_;  // only for the thread that calls run()
  const StreamPositions& positions_;
  const std::vector<FollowedTable> tables_;
  std::atomic<std::uint64_t> changes_{0};
  bool is_catching_up_ = false;  // changed only while no thread runs

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::map<ShardKey, Shard> shards_;  // elements keep their addresses
  bool is_listing_due_ = true;        // a shard ended and may have children
  bool is_over_ = false;
  std::exception_ptr thrown_;
};

}  // namespace magneto::server::tools
