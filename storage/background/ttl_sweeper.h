#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "storage/background/index_replicator.h"
#include "storage/background/replica_sender.h"
#include "storage/background/retrying_thread.h"
#include "storage/background/worker.h"
#include "storage/clock.h"
#include "storage/table/catalog.h"
#include "storage/table/expiry_timer.h"
#include "storage/table/item_writer.h"

namespace magneto::storage {

// How long after its expiry an item can still be deleted; after that it stays (AWS developer guide,
// "Using DynamoDB Time to Live": no more than five years in the past).
inline constexpr std::chrono::years kExpiryWindow{5};

// Deletes expired items from tables with time to live ENABLED, first expired first, in the same way
// as a client's delete. It finds items only in the expiry queues and checks each again with its key
// held, so a write that moves the expiry wins. A thread of its own sleeps until the first expiry.
//
// Changes of other regions that were pending at the start of the process are made first: a deletion
// must not undo a change that was acknowledged there and would have prevented it. Thread-safe.
class TtlSweeper {
 public:
  struct Parts {
    Engine& engine;
    const Clock& clock;
    const Catalog& catalog;
    ItemWriter& writer;
    ExpiryTimer& timer;
    ChangeLog& changes;
    IndexReplicator& replicator;
    const ReplicaSender& replicas;  // calls timer.note(0) when it is no longer behind
  };
  // `delay`: how long an item stays after it expires. If `worker` is not nullptr, it does the work
  // in place of an own thread. It must run only short tasks and be stopped before this object ends.
  TtlSweeper(const Parts& parts, std::chrono::milliseconds delay, ReportWarning report,
             Worker* worker = nullptr);

  // Start and stop deleting in the background.
  void start();
  void stop();

  // How long, by the clock, an item stays after it expires; nullopt: the initial delay.
  void set_delay(std::optional<std::chrono::milliseconds> delay);
  std::chrono::milliseconds delay() const { return delay_.load(); }

  // Whether an item with this expiry must be deleted now.
  bool is_due(std::int64_t expiry) const;

  // Deletes the items that have expired by now, in the caller's thread. False if some are left:
  // `stop` was requested, or the indexes are too far behind. Throws EngineError; the thread then
  // retries.
  bool sweep(const std::stop_token& stop);

 private:
  // The state of one search for expired items.
  struct Search {
    const std::stop_token& stop;
    std::size_t items_left;     // that it may still delete
    Clock::TimePoint now_then;  // items that expired too long before this stay
    bool is_whole = true;       // no expired item is left
  };

  bool sweep_some(Search& search);
  std::int64_t sweep_tables(Search& search);
  std::int64_t sweep_table(const TablePtr& table, Search& search);
  std::int64_t remove(const TablePtr& table, const std::vector<std::string>& entries);
  bool goes_on(Search& search);
  void take_turn(const std::stop_token& stop);
  void clock_turned(Clock::TimePoint before);

  const Parts parts_;
  const std::chrono::milliseconds first_delay_;
  std::atomic<std::chrono::milliseconds> delay_;
  std::mutex mutex_;         // held while sweeping
  std::mutex turned_mutex_;  // guards the next members
  // The earliest time of the clock before a turn, since the last sweep that deleted all expired
  // items. Items that a running clock would have deleted meanwhile are not too old.
  std::optional<Clock::TimePoint> turned_at_;
  bool is_sweeping_ = false;  // the timer then does not know the next expiry
  std::optional<RetryingThread> thread_;
  std::optional<Worker::RecurringTask> task_;
  std::optional<Clock::Watch> watch_;  // from start() on
};

}  // namespace magneto::storage
