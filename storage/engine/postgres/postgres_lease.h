#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "storage/engine/pause.h"
#include "storage/engine/postgres/postgres_connection.h"
#include "storage/engine/postgres/shared_statements.h"
#include "storage/engine/postgres/store_address.h"

namespace magneto::storage {

class FrontWatch;

// The lease of a store: the one server that holds it writes to the store. The holder renews it ten
// times in its duration, by counting up a number in the database. Another server that sees the same
// number for the whole duration, by its own clock, takes the lease over under the next epoch. So
// the clocks of servers need not agree. Thread-safe.
class PostgresLease {
 public:
  // Time since the machine was started, in nanoseconds. It goes on while the machine sleeps.
  using Time = std::int64_t;
  static Time now();
  // The part of a lease's duration that counts for its holder. Another server waits for the whole
  // duration after the database has executed the renewal, and clocks may run at different speeds.
  static Time valid_time(std::chrono::milliseconds duration);
  static constexpr std::int64_t kReleased = -1;  // the beat of a lease that its holder gave back

  struct Settings {
    std::chrono::milliseconds duration{3000};
    std::string address;  // of this server, for those that wait
    // Called at most once, from a thread of the lease, when another server has taken over.
    std::function<void()> on_lost;
    // Called when another server holds the lease, with its address, before the wait for it.
    std::function<void(std::string_view)> on_wait;
    // Called with a sentence, from a thread of the lease, when it cannot be renewed in time, and when
    // it can again.
    std::function<void(std::string_view)> on_warning;
  };

  // Waits until this server holds the lease. Throws EngineError when the database cannot be reached
  // at first, when servers share the store, and when `stop` is requested.
  PostgresLease(const StoreAddress& address, const SharedStatements& statements, Settings settings,
                const std::stop_token& stop);
  // Gives the lease back, so that the next server need not wait.
  ~PostgresLease();
  PostgresLease(const PostgresLease&) = delete;
  PostgresLease& operator=(const PostgresLease&) = delete;

  std::int64_t epoch() const { return epoch_; }
  // No server that has shared the store has drawn a version beyond this one.
  std::int64_t last_version() const { return last_version_; }
  bool is_lost() const { return is_lost_.load(std::memory_order_relaxed); }
  // The time since the last renewal was sent.
  std::chrono::nanoseconds age() const;
  // Whether no other server can have taken over before this call. False also while the database
  // cannot be reached for most of the duration.
  bool is_valid() const { return now() < valid_until_.load(std::memory_order_relaxed); }

 private:
  void acquire(const std::stop_token& stop);
  // Whether no servers share the store. Throws EngineError if one of them shows signs of life.
  bool is_unshared(PostgresConnection& connection, FrontWatch& watch);
  bool has_fronts(PostgresConnection& connection) const;
  bool try_to_take(PostgresConnection& connection, std::int64_t epoch, std::int64_t beat);
  void keep(const std::stop_token& stop);
  void renew(PostgresConnection& connection);
  void tell_of_changes();
  void extend(Time sent);
  std::chrono::milliseconds interval() const { return settings_.duration / 10; }

  const StoreAddress& address_;
  const SharedStatements& statements_;
  const Settings settings_;
  std::int64_t epoch_ = 0;
  std::int64_t last_version_ = 0;
  std::atomic<Time> valid_until_{0};
  std::atomic<bool> is_lost_{false};
  bool is_known_invalid_ = false;  // of thread_
  Pause pause_;                    // of the thread that opens the lease, then of thread_
  std::jthread thread_;
};

}  // namespace magneto::storage
