#include "storage/engine/postgres/postgres_lease.h"

#include <time.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "storage/engine/postgres/fronts.h"
#include "storage/messages/postgres_messages.h"

namespace magneto::storage {
namespace {

std::int64_t in_nanoseconds(std::chrono::milliseconds time) {
  return std::chrono::nanoseconds(time).count();
}

}  // namespace

PostgresLease::Time PostgresLease::now() {
  timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return in_nanoseconds(std::chrono::seconds(time.tv_sec)) + time.tv_nsec;
}

PostgresLease::PostgresLease(const StoreAddress& address, const SharedStatements& statements,
                             Settings settings, const std::stop_token& stop)
    : address_(address), statements_(statements), settings_(std::move(settings)) {
  acquire(stop);
  thread_ = std::jthread([this](const std::stop_token& end) { keep(end); });
}

PostgresLease::~PostgresLease() {
  thread_.request_stop();
  thread_.join();
  if (is_lost()) return;
  try {
    PostgresConnection connection(address_);
    connection.run(statements_.release_lease(), {epoch_});
  } catch (const EngineError&) {
    // The next server waits for the end of the lease instead.
  }
}

void PostgresLease::acquire(const std::stop_token& stop) {
  struct Seen {
    std::int64_t epoch;
    std::int64_t beat;
    Time since;
  };
  std::optional<Seen> seen;
  FrontWatch watch(settings_.duration);
  auto connection = std::make_unique<PostgresConnection>(address_);
  for (;;) {
    try {
      if (connection == nullptr) connection = std::make_unique<PostgresConnection>(address_);
      const QueryResult lease = connection->run(statements_.read_lease(), {});
      if (lease.rows() == 0) {
        connection->run(statements_.make_lease(), {});
        continue;
      }
      const std::int64_t epoch = lease.number(0, 0);
      const std::int64_t beat = lease.number(0, 1);
      const Time time = now();
      if (!seen || seen->epoch != epoch) {
        if (beat != kReleased && settings_.on_wait) settings_.on_wait(lease.bytes(0, 2));
      }
      if (!seen || seen->epoch != epoch || seen->beat != beat) seen = Seen{epoch, beat, time};
      const bool has_ended =
          beat == kReleased || time - seen->since >= in_nanoseconds(settings_.duration);
      if (has_ended && is_unshared(*connection, watch) && try_to_take(*connection, epoch, beat)) {
        return;
      }
    } catch (const ConnectionLost&) {
      connection.reset();
    }
    pause_.rest(interval(), stop);
    if (stop.stop_requested()) throw EngineError(messages::kWaitForLeaseEnded);
  }
}

bool PostgresLease::has_fronts(PostgresConnection& connection) const {
  const bool is_there = connection.run(statements_.has_group(), {}).bytes(0, 0)[0] != 0;
  return is_there && !read_fronts(connection, statements_).empty();
}

bool PostgresLease::is_unshared(PostgresConnection& connection, FrontWatch& watch) {
  if (!has_fronts(connection)) return true;
  const std::vector<Front> fronts = read_fronts(connection, statements_);
  const std::vector<Front> ended = watch.look(fronts, now());
  for (const Front& front : fronts) {
    if (watch.is_alive(front)) {
      throw EngineError(messages::store_in_use_by_group(front.address));
    }
  }
  for (const Front& front : ended) remove_front(connection, statements_, front, false);
  return false;
}

// The deletion waits for commits of earlier epochs that are under way; none can follow.
bool PostgresLease::try_to_take(PostgresConnection& connection, std::int64_t epoch,
                                std::int64_t beat) {
  const Time sent = now();
  connection.execute(kEndIdleTransactions);
  connection.execute("BEGIN");
  connection.run(statements_.lock_store(), {});
  if (has_fronts(connection)) {
    connection.execute("ROLLBACK");
    return false;
  }
  Arguments arguments = {epoch, beat};
  arguments.add_bytes(settings_.address);
  const QueryResult taken = connection.run(statements_.take_lease(), arguments);
  if (taken.rows() == 0) {
    connection.execute("ROLLBACK");
    return false;
  }
  epoch_ = taken.number(0, 0);
  connection.run(statements_.remove_other_fences(), {epoch_});
  connection.execute("COMMIT");
  extend(sent);
  if (connection.run(statements_.has_group(), {}).bytes(0, 0)[0] != 0) {
    last_version_ = connection.run(statements_.read_start(), {}).number(0, 0);
  }
  return true;
}

void PostgresLease::keep(const std::stop_token& stop) {
  std::unique_ptr<PostgresConnection> connection;
  for (;;) {
    pause_.rest(interval(), stop);
    if (stop.stop_requested() || is_lost()) return;
    try {
      if (connection == nullptr) connection = std::make_unique<PostgresConnection>(address_);
      renew(*connection);
    } catch (const EngineError&) {
      connection.reset();  // is_valid() becomes false soon, unless a later attempt succeeds
    }
    tell_of_changes();
  }
}

void PostgresLease::renew(PostgresConnection& connection) {
  const Time sent = now();
  if (connection.run(statements_.renew_lease(), {epoch_}).rows() != 0) return extend(sent);
  is_lost_ = true;
  valid_until_ = 0;
  if (settings_.on_lost) settings_.on_lost();
}

void PostgresLease::tell_of_changes() {
  if (is_lost() || is_known_invalid_ != is_valid()) return;
  is_known_invalid_ = !is_known_invalid_;
  if (!settings_.on_warning) return;
  settings_.on_warning(is_known_invalid_ ? messages::kLeaseUnrenewed : messages::kLeaseRenewed);
}

PostgresLease::Time PostgresLease::valid_time(std::chrono::milliseconds duration) {
  return in_nanoseconds(duration) * 8 / 10;
}

void PostgresLease::extend(Time sent) {
  valid_until_.store(sent + valid_time(settings_.duration), std::memory_order_relaxed);
}

std::chrono::nanoseconds PostgresLease::age() const {
  return std::chrono::nanoseconds(now() + valid_time(settings_.duration) -
                                  valid_until_.load(std::memory_order_relaxed));
}

}  // namespace magneto::storage
