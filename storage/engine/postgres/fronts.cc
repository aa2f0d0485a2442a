#include "storage/engine/postgres/fronts.h"

namespace magneto::storage {

std::vector<Front> read_fronts(PostgresConnection& connection, const SharedStatements& statements) {
  const QueryResult found = connection.run(statements.read_fronts(), {});
  std::vector<Front> fronts;
  for (std::size_t row = 0; row < found.rows(); ++row) {
    fronts.push_back({.number = found.number(row, 0),
                      .epoch = found.number(row, 1),
                      .beat = found.number(row, 2),
                      .low = found.number(row, 3),
                      .high = found.number(row, 4),
                      .acked = found.number(row, 5),
                      .address = std::string(found.bytes(row, 6))});
  }
  return fronts;
}

bool remove_front(PostgresConnection& connection, const SharedStatements& statements,
                  const Front& front, bool any_beat) {
  constexpr std::int64_t kAnyBeat = -1;
  connection.execute(kEndIdleTransactions);
  connection.execute("BEGIN");
  const QueryResult locked = connection.run(
      statements.lock_front(), {front.number, front.epoch, any_beat ? kAnyBeat : front.beat});
  if (locked.rows() == 0) {
    connection.execute("ROLLBACK");
    return false;
  }
  connection.run(statements.keep_high(), {locked.number(0, 0)});
  connection.run(statements.remove_guards(), {front.epoch});
  connection.run(statements.remove_front(), {front.number});
  // The server may have ended between a change and its announcement.
  Arguments anything = {0};
  anything.add_null();
  connection.run(statements.add_news(), anything);
  connection.execute("COMMIT");
  return true;
}

std::vector<Front> FrontWatch::look(const std::vector<Front>& fronts, PostgresLease::Time time) {
  const PostgresLease::Time lease = std::chrono::nanoseconds(lease_).count();
  std::map<std::int64_t, Seen> next;
  std::vector<Front> ended;
  for (const Front& front : fronts) {
    const auto known = seen_.find(front.epoch);
    Seen seen{front.beat, time, false};
    if (known != seen_.end()) {
      seen = known->second;
      if (seen.beat != front.beat) seen = {front.beat, time, true};
    }
    if (time - seen.since >= lease) ended.push_back(front);
    next.emplace(front.epoch, seen);
  }
  seen_ = std::move(next);
  return ended;
}

bool FrontWatch::is_alive(const Front& front) const {
  const auto known = seen_.find(front.epoch);
  return known != seen_.end() && known->second.has_changed;
}

}  // namespace magneto::storage
