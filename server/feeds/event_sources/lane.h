#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/client/endpoint/retry_delays.h"
#include "server/feeds/event_sources/event_batch.h"
#include "server/feeds/event_sources/mapping_work.h"
#include "server/feeds/event_sources/source_positions.h"

namespace magneto::server::feeds {

// Passes the records of one shard, or this lane's part of them, to the function of one mapping. It
// processes one batch at a time, until the function has taken it or it is dropped. It holds no
// records between two steps. For one thread at a time.
class Lane {
 public:
  using Clock = std::chrono::steady_clock;
  // The due time of a lane that has nothing to do until the stream grows.
  static constexpr Clock::time_point kWhenItGrows = Clock::time_point::max();

  // All arguments must outlive the lane.
  Lane(MappingWork& work, const BatchSource& place, ShardProgress& progress);

  // Reads records, and calls the function at most once if it is time. Returns the time of the next
  // step.
  Clock::time_point step();

  // Whether step() has work to do if the stream ends at `end`. Call it if step() returned
  // kWhenItGrows.
  bool has_more(std::uint64_t end) const {
    return !has_ended() && progress_.at(place_.lane.number) < end;
  }
  // True if all records were taken or dropped and no more can follow.
  bool has_ended() const { return ended_.load(std::memory_order_acquire); }
  std::uint32_t shard() const { return place_.shard; }
  // The age of the oldest record that was read and waits, in seconds of the store's clock; 0 if
  // none waits. Thread-safe.
  double age() const;

 private:
  // Records that are sent together, with the attempts so far.
  struct Range {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::uint64_t after = 0;  // the position after them, and after unwanted records that follow
    std::size_t count = 0;    // of records
    std::int64_t retries = 0;
    std::uint64_t invocations = 0;
  };
  // The state of an open batching window.
  struct Gathering {
    std::uint64_t to = 0;  // the position after the counted records
    std::size_t count = 0;
    std::size_t bytes = 0;
    Clock::time_point ends{};
  };
  // Dropped records whose report must still be stored.
  struct Refused {
    std::string record;
    std::uint64_t after = 0;
    std::size_t rest = 0;  // records of the range after them
  };

  static constexpr std::int64_t kNobodyWaits = -1;

  Clock::time_point try_step();
  std::optional<Clock::time_point> gather();
  Clock::time_point skip_empty(const EventBatch& batch);
  void shrink_range(const EventBatch& batch);
  void note_lost(std::size_t count);
  std::size_t count_expired(const EventBatch& batch) const;
  Clock::time_point classify(const EventBatch& batch, const Invocation& result);
  Clock::time_point note_item_failures(const EventBatch& batch, const Invocation& result,
                                       std::size_t failed);
  Clock::time_point note_failure(const EventBatch& batch, const Invocation& result,
                                 std::string_view why);
  Clock::time_point drop(const EventBatch& batch, const DroppedRecords& dropped);
  Clock::time_point report_dropped();
  void note_taken(const EventBatch& batch, std::size_t count);
  void move_past(std::uint64_t after, std::size_t rest);
  void move_to(std::uint64_t position, bool keeps);
  Clock::time_point wait(std::string_view why);
  void note_success();

  MappingWork& work_;
  const BatchSource place_;
  ShardProgress& progress_;
  std::deque<Range> ranges_;  // the unfinished parts of the current batch
  std::optional<Gathering> gathering_;
  std::optional<Refused> refused_;
  Invocation last_failure_;  // without its texts; of the batch, if the function was called for it
  std::atomic<std::int64_t> waiting_since_{kNobodyWaits};  // microseconds since the epoch
  client::RetryDelays delays_;
  std::optional<Clock::time_point> failing_since_;
  std::atomic<bool> ended_{false};
};

}  // namespace magneto::server::feeds
