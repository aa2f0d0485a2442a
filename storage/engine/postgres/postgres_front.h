#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "storage/engine/pause.h"
#include "storage/engine/postgres/fronts.h"
#include "storage/engine/postgres/postgres_lease.h"
#include "storage/engine/postgres/shared_statements.h"
#include "storage/engine/version_source.h"

namespace magneto::storage {

// This server among those that share a store: its lease, its versions, and the state of the others.
// With each beat it tells them the range of its versions, and learns theirs. Thread-safe.
class PostgresFront {
 public:
  struct Settings {
    std::chrono::milliseconds lease{3000};
    std::string address;  // of this server, for messages of others
    Clock::RealTime now = &Clock::real_now;
    // As in PostgresLease.
    std::function<void()> on_lost;
    std::function<void(std::string_view)> on_warning;
  };

  // Joins the servers. Waits while a server that used the store alone may still do so. Throws
  // EngineError with a sentence for the user, also when `stop` is requested.
  PostgresFront(const StoreAddress& address, const SharedStatements& statements, Settings settings,
                const std::stop_token& stop);
  // Leaves. Commits must have ended.
  ~PostgresFront();
  PostgresFront(const PostgresFront&) = delete;
  PostgresFront& operator=(const PostgresFront&) = delete;

  // Begins with the beats. `on_beat` is called after each of them on a thread of the front.
  void start(std::function<void()> on_beat);
  // Ends the calls.
  void ignore_beats();

  std::int64_t epoch() const { return epoch_; }
  std::uint32_t number() const { return number_; }
  VersionSource& versions() { return *versions_; }
  Version first_version() const { return first_version_; }

  bool is_lost() const { return is_lost_.load(std::memory_order_relaxed); }
  // As in PostgresLease.
  bool is_valid() const {
    return PostgresLease::now() < valid_until_.load(std::memory_order_relaxed);
  }
  std::chrono::nanoseconds age() const;

  // ---- as of the last beat ----------------------------------------------------------------------

  Version settled() const { return settled_.load(std::memory_order_relaxed); }
  std::size_t size() const { return size_.load(std::memory_order_relaxed); }
  // Whether no other front has been there for longer.
  bool is_first() const { return is_first_.load(std::memory_order_relaxed); }
  // Fronts whose leases have ended.
  std::vector<Front> ended() const;
  // Whether the front with that epoch is gone. Epochs ascend, so those above all others are not known
  // yet.
  bool has_left(std::int64_t epoch) const;
  // The number of the last announcement.
  std::int64_t newest() const;
  // The announcement that this front has acknowledged.
  std::int64_t acked() const;

  // ---- announcements ----------------------------------------------------------------------------

  // The changes up to this announcement are taken over, and versions may go on.
  void set_known(std::int64_t number);
  // The scopes that were open before are ended too. The others hear of it at once.
  void set_acked(std::int64_t number);
  // Makes the next beat at once.
  void beat_soon();
  // Returns when all fronts have acknowledged the announcement. Throws StoreTaken when this front is
  // lost.
  void wait_for_acks(std::int64_t number);

 private:
  using Time = PostgresLease::Time;
  // Versions below `high` are allowed when the announcement is known.
  struct Permission {
    std::int64_t announcement;
    Version high;
  };

  void join(const std::stop_token& stop);
  // False: a server that uses the store alone has a lease, which may be over.
  bool try_to_join(PostgresConnection& connection);
  std::int64_t choose_number(PostgresConnection& connection) const;
  void check_clock(PostgresConnection& connection) const;
  void keep(const std::stop_token& stop);
  void beat(PostgresConnection& connection);
  Version next_high(Version low) const;  // requires mutex_
  void look_at(const QueryResult& fronts, Version high, Time sent);
  void raise_limit();  // requires mutex_
  void lose();
  void tell_of_changes();
  std::chrono::milliseconds interval() const;
  Version span(int tenths) const;  // of versions, in tenths of the lease

  const StoreAddress& address_;
  const SharedStatements& statements_;
  const Settings settings_;
  std::int64_t epoch_ = 0;
  std::uint32_t number_ = 0;
  Version first_version_ = 0;
  std::optional<VersionSource> versions_;
  std::atomic<Time> valid_until_{0};
  std::atomic<bool> is_lost_{false};
  std::atomic<bool> is_first_{false};
  std::atomic<Version> settled_{0};
  std::atomic<std::size_t> size_{1};
  bool is_known_invalid_ = false;  // of thread_

  mutable std::mutex mutex_;  // guards the next members
  std::condition_variable_any changed_;
  std::vector<Front> fronts_;
  std::vector<Front> ended_;
  FrontWatch watch_;
  std::deque<Permission> permissions_;
  Version high_ = 0;      // the last one written
  Version greatest_ = 0;  // the greatest `low` of all fronts
  std::int64_t newest_ = 0;
  std::int64_t known_ = 0;
  std::int64_t acked_ = 0;
  bool is_beat_wanted_ = false;

  std::mutex call_mutex_;  // held during calls of on_beat_, which it guards
  std::function<void()> on_beat_;
  Pause pause_;
  std::jthread thread_;
};

}  // namespace magneto::storage
