#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "storage/table/expiry_timer.h"
#include "storage/table/table.h"

namespace magneto::storage {

// Fills new expiry queues from the items of their tables, while writes go on. Thread-safe.
class ExpiryBackfill {
 public:
  ExpiryBackfill(Engine& engine, ExpiryTimer& timer) : engine_(engine), timer_(timer) {}

  // Brings every item of `table` that expires into its expiry queue, which is published. Entries
  // are committed with their items' keys held, so they agree with those of concurrent writes; to do
  // it again is harmless. True when all are there, false when the queue was dropped or `stop` asked
  // for an end meanwhile. Throws EngineError.
  bool fill(const Table& table, const std::stop_token& stop);

 private:
  bool enter(const Table& table, const std::vector<std::string>& keys);

  Engine& engine_;
  ExpiryTimer& timer_;
};

}  // namespace magneto::storage
