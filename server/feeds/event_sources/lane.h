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

// One mapping's way through one shard, or through those of its records that are this lane's: a batch at
// a time, until the function has taken it or it is left out. Between two steps it holds no records. For
// one thread at a time.
class Lane {
 public:
  using Clock = std::chrono::steady_clock;
  // When there may be something to do once the stream has grown.
  static constexpr Clock::time_point kWhenItGrows = Clock::time_point::max();

  // All must outlive it.
  Lane(MappingWork& work, const BatchSource& place, ShardProgress& progress);

  // Reads, and calls the function once, where it is time to. When the next step may be taken.
  Clock::time_point step();

  // Whether step() has anything to do, given where the stream ends; its last answer was kWhenItGrows.
  bool has_more(std::uint64_t end) const {
    return !has_ended() && progress_.at(place_.lane.number) < end;
  }
  // All was taken or left out that there will ever be.
  bool has_ended() const { return ended_.load(std::memory_order_acquire); }
  std::uint32_t shard() const { return place_.shard; }
  // Of the oldest record that was read and waits, in seconds of the store's clock; 0: none does.
  // May be asked at any time.
  double age() const;

 private:
  // Records that are sent together, with what was tried.
  struct Range {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::uint64_t after = 0;  // the position behind them, and behind what follows and is not wanted
    std::size_t count = 0;    // of records
    std::int64_t retries = 0;
    std::uint64_t invocations = 0;
  };
  // While the batching window is open.
  struct Gathering {
    std::uint64_t to = 0;  // the position behind what was counted
    std::size_t count = 0;
    std::size_t bytes = 0;
    Clock::time_point ends{};
  };
  // Records that are left out, once it is told where they were to be told of.
  struct Refused {
    std::string record;
    std::uint64_t after = 0;
    std::size_t rest = 0;  // records of the range behind them
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
  std::deque<Range> ranges_;  // of the batch that was begun, but for what of it is done
  std::optional<Gathering> gathering_;
  std::optional<Refused> refused_;
  Invocation last_failure_;  // without its texts; of the batch, if it was called at all
  std::atomic<std::int64_t> waiting_since_{kNobodyWaits};  // microseconds since the epoch
  client::RetryDelays delays_;
  std::optional<Clock::time_point> failing_since_;
  std::atomic<bool> ended_{false};
};

}  // namespace magneto::server::feeds
