#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "storage/engine/postgres/postgres_lease.h"
#include "storage/engine/postgres/shared_statements.h"

namespace magneto::storage {

// One of the servers that share a store, as its row shows it.
struct Front {
  std::int64_t number = 0;
  std::int64_t epoch = 0;
  std::int64_t beat = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t acked = 0;
  std::string address = {};  // not known from beats
};

// In ascending order of their epochs.
std::vector<Front> read_fronts(PostgresConnection& connection, const SharedStatements& statements);

// Removes a front. Commits of its server that are under way end before, and none can follow. Without
// `any_beat` a front that has shown signs of life stays. Returns whether the front was removed.
bool remove_front(PostgresConnection& connection, const SharedStatements& statements,
                  const Front& front, bool any_beat);

// Watches for the beats of servers, by the clock of this machine. Not thread-safe.
class FrontWatch {
 public:
  explicit FrontWatch(std::chrono::milliseconds lease) : lease_(lease) {}

  // Takes note of the fronts that exist at `time`, and returns those whose leases have ended.
  std::vector<Front> look(const std::vector<Front>& fronts, PostgresLease::Time time);
  // Whether the front has shown signs of life between two looks.
  bool is_alive(const Front& front) const;

 private:
  struct Seen {
    std::int64_t beat;
    PostgresLease::Time since;
    bool has_changed;
  };

  const std::chrono::milliseconds lease_;
  std::map<std::int64_t, Seen> seen_;  // by epoch
};

}  // namespace magneto::storage
