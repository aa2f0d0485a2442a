#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "storage/engine/engine.h"

namespace magneto::storage {

struct PostgresOptions {
  std::string url;            // as StoreAddress takes it
  std::string password = {};  // empty: there is none, or libpq finds it
  std::string schema = "magneto";
  std::size_t connections = 16;  // at least 2; besides those of the lease and of snapshots
  std::chrono::milliseconds lease{3000};
  std::string own_address = {};  // told to the servers that wait
  // Called once when another server has taken over. The process must end soon.
  std::function<void()> on_lost = {};
  // Called with the address of the server that holds the store, before the wait for it.
  std::function<void(std::string_view)> on_wait = {};
};

// An engine that keeps its bytes in a PostgreSQL database, which several servers can reach. One of
// them is active: it holds the store's lease and is the only one that writes. Opening the engine
// waits for the lease.
//
// PostgreSQL's B-trees limit the length of a key (Engine::max_key_bytes()). Each snapshot takes a
// connection of its own; snapshot() throws EngineError beyond their limit.
inline constexpr std::size_t kMaxPostgresKeyBytes = 2'600;
inline constexpr int kMaxPostgresSnapshots = 32;

// Throws EngineError with a sentence for the user.
std::unique_ptr<Engine> open_postgres_engine(const PostgresOptions& options,
                                             const std::stop_token& stop = {});

}  // namespace magneto::storage
