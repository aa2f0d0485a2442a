#pragma once

#include <mutex>

#include "storage/background/worker.h"
#include "storage/table/catalog.h"

namespace magneto::storage {

// What happens to streams over time: shards roll over, split when DynamoDB would have split the
// table's partitions, and go with their records when they have expired, as streams do. Thread-safe.
class RetentionSweeper {
 public:
  RetentionSweeper(Catalog& catalog, Worker& jobs) : catalog_(catalog), jobs_(jobs) {}

  // Sweeps from time to time, until the worker stops.
  void start();
  // Does what is due by now. Throws EngineError; the rest is done next time.
  void sweep();

 private:
  Catalog& catalog_;
  Worker& jobs_;
  std::mutex mutex_;  // held while sweeping
};

}  // namespace magneto::storage
