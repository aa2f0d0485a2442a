#pragma once

#include <mutex>

#include "storage/background/table_follow_up.h"
#include "storage/background/worker.h"
#include "storage/clock.h"
#include "storage/table/catalog.h"

namespace magneto::storage {

// Changes streams over time: shards roll over, split when DynamoDB would have split the table's
// partitions, and expire with their records, as streams do. Thread-safe.
class RetentionSweeper final : public TableFollowUp {
 public:
  // If `jobs` is a client, it runs only when something is due or a table was changed. Shards then
  // split not as soon as a table has grown, but when the next ones roll over.
  RetentionSweeper(Catalog& catalog, const Clock& clock, Worker& jobs);

  // Sweeps from time to time, until the worker stops.
  void start();
  // Does the work that is due. Throws EngineError; the rest is done next time.
  void sweep();

  void resume() override {}
  void follow(const Catalog::Edited& edited) override;
  // its stream closes, and is removed when it has expired
  void drop(const Table& /*table*/) override {}

 private:
  void await_next();

  Catalog& catalog_;
  const Clock& clock_;
  Worker& jobs_;
  std::mutex mutex_;  // held while sweeping
  Worker::RecurringTask task_;
  const Clock::Watch watch_;
};

}  // namespace magneto::storage
