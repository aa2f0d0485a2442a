#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "storage/background/index_replicator.h"
#include "storage/background/retrying_thread.h"
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
// expiry. Thread-safe.
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
  };
  // `delay`: how long an item stays after its expiry.
  TtlSweeper(const Parts& parts, std::chrono::milliseconds delay, ReportWarning report);

  // Begins to delete in the background, and ends it.
  void start() { thread_.start(); }
  void stop() { thread_.stop(); }

  // Deletes, in the caller's thread, what has expired by now. Throws EngineError; the thread then
  // tries again.
  void sweep(const std::stop_token& stop);

 private:
  std::int64_t sweep_tables(const std::stop_token& stop);
  std::int64_t sweep_table(const TablePtr& table, const std::stop_token& stop);
  bool remove(const TablePtr& table, const std::vector<std::string>& entries);

  const Parts parts_;
  const std::chrono::milliseconds delay_;
  std::mutex mutex_;  // held while sweeping
  RetryingThread thread_;
};

}  // namespace magneto::storage
