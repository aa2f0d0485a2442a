#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "storage/clock.h"

namespace magneto::storage {

struct PostgresOptions {
  std::string url;            // as StoreAddress takes it
  std::string password = {};  // empty: libpq finds one, or none is needed
  std::string schema = "magneto";
  std::size_t connections = 16;  // at least 2; besides those of the lease and of snapshots
  std::chrono::milliseconds lease{3000};
  std::string own_address = {};  // waiting servers name it
  // Called once, on a background thread, when another server has taken over. The process must end.
  std::function<void()> on_lost = {};
  // Called with a sentence when the database's settings allow acknowledged writes to be lost, when the
  // database cannot be reached any more, and when it can again. From any thread.
  std::function<void(std::string_view)> on_warning = {};
  // Called between attempts to reach the database, on threads whose commit waits for it. May end the
  // process.
  std::function<void()> on_unreachable = {};
  // Called with the address of the server that holds the store, before the wait for it.
  std::function<void(std::string_view)> on_wait = {};
  std::stop_token stop = {};  // ends the wait for the store

  // Whether several servers use the store at the same time (Engine::group()).
  bool shared = false;
  // For tests: the time of versions, and how long a removed key is remembered.
  Clock::RealTime now = &Clock::real_now;
  std::chrono::milliseconds remembered{60'000};
};

}  // namespace magneto::storage
