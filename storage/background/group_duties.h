#pragma once

#include <functional>
#include <span>
#include <string>

#include "storage/background/statistics_keeper.h"
#include "storage/background/table_lifecycle.h"
#include "storage/background/worker.h"
#include "storage/engine/server_group.h"
#include "storage/table/catalog.h"
#include "storage/table/expiry_timer.h"
#include "storage/transaction/token_records.h"

namespace magneto::storage {

// The duties of one of several servers that share a store. Each server takes over the changes that
// another one announces. The leader wakes the deletion of expired items, removes expired tokens, and
// continues the work on tables that a server has left undone. Thread-safe.
class GroupDuties {
 public:
  struct Parts {
    ServerGroup& group;
    Catalog& catalog;
    TableLifecycle& lifecycle;
    ExpiryTimer& expiry_timer;
    StatisticsKeeper& statistics;
    TokenRecords& tokens;
    Worker& timers;
    Worker& jobs;
  };
  // `take_over_databases` is called when another server has made a database.
  GroupDuties(const Parts& parts, std::function<void()> take_over_databases);

  // Called once, when everything is loaded.
  void begin();
  // Ends the calls of the group; the workers are stopped later.
  void end() { parts_.group.ignore_announcements(); }

 private:
  void take_over(std::span<const std::string> keys);
  void resume_later();
  void tick();

  const Parts parts_;
  const std::function<void()> take_over_databases_;
  int ticks_ = 0;
  Worker::RecurringTask task_;
};

}  // namespace magneto::storage
