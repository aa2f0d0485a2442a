#pragma once

#include <mutex>

#include "storage/background/table_follow_up.h"
#include "storage/background/worker.h"
#include "storage/clock.h"
#include "storage/table/catalog.h"

namespace magneto::storage {

// What happens to streams over time: shards roll over, split when DynamoDB would have split the
// table's partitions, and go with their records when they have expired, as streams do. Thread-safe.
class RetentionSweeper final : public TableFollowUp {
 public:
  // Where `jobs` is a client, it is asked only when the time of something has come or a table was
  // changed; so shards do not split as soon as a table has grown, but when the next ones roll over.
  RetentionSweeper(Catalog& catalog, const Clock& clock, Worker& jobs);

  // Sweeps from time to time, until the worker stops.
  void start();
  // Does what is due by now. Throws EngineError; the rest is done next time.
  void sweep();

  void resume() override {}
  void follow(const Catalog::Edited& edited) override;
  void drop(const Table& /*table*/) override {}  // its stream closes, and goes when it has expired

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
