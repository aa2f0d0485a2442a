#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "storage/table/expiry_timer.h"
#include "storage/table/table.h"

namespace magneto::storage {

// Fills new expiry queues from the items of their tables, while writes continue. Thread-safe.
class ExpiryBackfill {
 public:
  ExpiryBackfill(Engine& engine, ExpiryTimer& timer) : engine_(engine), timer_(timer) {}

  // Enters every expiring item of `table` into its expiry queue, which is already published.
  // Entries are committed with their items' keys held, so they agree with concurrent writes;
  // repeating it is harmless. True if all entries are there, false if the queue was dropped or
  // `stop` was requested. Throws EngineError.
  bool fill(const Table& table, const std::stop_token& stop);

 private:
  bool enter(const Table& table, const std::vector<std::string>& keys);

  Engine& engine_;
  ExpiryTimer& timer_;
};

}  // namespace magneto::storage
