#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "storage/engine/pause.h"
#include "storage/engine/postgres/connection_pool.h"
#include "storage/engine/postgres/postgres_counters.h"
#include "storage/engine/postgres/postgres_front.h"
#include "storage/engine/postgres/scope_commit.h"
#include "storage/engine/server_group.h"

namespace magneto::storage {

// The servers that share a store: announcements, the leader. Its threads end with it, before
// those of the front.
class PostgresGroup final : public ServerGroup {
 public:
  struct Settings {
    std::chrono::milliseconds lease;
    std::chrono::milliseconds remembered;  // how long removed keys keep their rows
    // Waits for the scopes that are open on this server now.
    std::function<void()> wait_for_scopes;
  };

  PostgresGroup(const StoreAddress& address, const SharedStatements& statements,
                PostgresFront& front, ConnectionPool& connections, ScopeCommit& commits,
                PostgresCounters& counters, Settings settings);
  ~PostgresGroup() override;

  // To be called after each beat.
  void look();

  Version settled() const override { return front_.settled(); }
  Version beyond() override;
  void announce(std::vector<std::string> keys) override;
  void on_announced(TakeOver take_over) override;
  void ignore_announcements() override;
  bool is_leader() const override { return front_.is_first() && front_.is_valid(); }
  void on_leading(std::function<void()> call) override;
  std::int64_t server() const override { return front_.epoch(); }
  bool has_left(std::int64_t server) const override { return front_.has_left(server); }
  std::size_t size() const override { return front_.size(); }

 private:
  struct News;

  void take_over(const std::stop_token& stop);
  void take_over_news();
  void tell_of_leading();
  void acknowledge(const std::stop_token& stop);
  void keep_tidy(const std::stop_token& stop);
  void remove_ended();
  void bury();

  const StoreAddress& address_;
  const SharedStatements& statements_;
  PostgresFront& front_;
  ConnectionPool& connections_;
  ScopeCommit& commits_;
  PostgresCounters& counters_;
  const Settings settings_;

  // Held during calls of the next two functions; guards the next members.
  std::mutex call_mutex_;
  TakeOver take_over_;
  std::function<void()> on_leading_;
  bool has_missed_ = false;  // an announcement, when there was no function to call

  std::mutex mutex_;  // guards the next members
  std::condition_variable_any changed_;
  std::int64_t known_ = 0;  // the last announcement that is taken over
  // Whether take_over_ must be called for announcements that it has missed.
  bool is_anything_due_ = false;
  bool is_leading_due_ = false;
  std::int64_t acked_ = 0;

  Pause pause_;       // of taking_over_
  Pause tidy_pause_;  // of tidying_
  std::jthread taking_over_;
  std::jthread acknowledging_;
  std::jthread tidying_;
};

}  // namespace magneto::storage
