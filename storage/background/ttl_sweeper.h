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

// How long after its expiry an item can still be deleted; later it stays (AWS developer guide,
// "Using DynamoDB Time to Live": no more than five years in the past).
inline constexpr std::chrono::years kExpiryWindow{5};

// Deletes what has expired from tables with time to live ENABLED, first expired first, by the same
// way as a client's delete. It finds items in the expiry queues alone and looks at each again with
// its key held, so a write that moves the expiry wins. A thread of its own sleeps until the first
// expiry. Where changes of other regions wait since before the process began, they come first: one
// that was acknowledged there is not undone by a deletion that it would have prevented. Thread-safe.
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
    const ReplicaSender& replicas;  // which says with timer.note(0) that it is not behind any more
  };
  // `delay`: how long an item stays once it is due. `worker`, unless it is nullptr, does what else a
  // thread of its own does: it runs short tasks, and is stopped before this ends.
  TtlSweeper(const Parts& parts, std::chrono::milliseconds delay, ReportWarning report,
             Worker* worker = nullptr);

  // Begins to delete in the background, and ends it.
  void start();
  void stop();

  // How long an item stays once it is due; nullopt: as long as at first. By the clock.
  void set_delay(std::optional<std::chrono::milliseconds> delay);
  std::chrono::milliseconds delay() const { return delay_.load(); }

  // Whether an item that expires then is to be deleted now.
  bool is_due(std::int64_t expiry) const;

  // Deletes, in the caller's thread, what has expired by now. False when some is left: `stop` was
  // asked to, or the indexes are too far behind. Throws EngineError; the thread then tries again.
  bool sweep(const std::stop_token& stop);

 private:
  // What is left of one search for expired items.
  struct Search {
    const std::stop_token& stop;
    std::size_t items_left;     // that it deletes yet
    Clock::TimePoint now_then;  // what expired too long before this stays
    bool is_whole = true;       // nothing that has expired is left
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
  std::mutex turned_mutex_;  // guards what follows
  // The earliest time at which the clock stood before it was turned, since all was deleted that had
  // expired: what a clock that runs would have deleted meanwhile is not too old.
  std::optional<Clock::TimePoint> turned_at_;
  bool is_sweeping_ = false;  // so the timer does not tell what has expired
  std::optional<RetryingThread> thread_;
  std::optional<Worker::RecurringTask> task_;
  std::optional<Clock::Watch> watch_;  // from start() on
};

}  // namespace magneto::storage
