#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "storage/engine/postgres/postgres_connection.h"
#include "storage/engine/postgres/postgres_counters.h"
#include "storage/engine/postgres/store_address.h"

namespace magneto::storage {

// The connections of one store that read. They are made when they are needed and kept. Thread-safe.
class ConnectionPool {
 public:
  // How long a read, or a snapshot, is tried again when connections get lost.
  static constexpr std::chrono::seconds kPatience{5};

  // `size`: the number of connections that may be in use at once. `counters` must outlive this
  // object.
  ConnectionPool(const StoreAddress& address, std::size_t size, PostgresCounters& counters)
      : address_(address), counters_(counters), free_(size) {}

  // Calls `read(connection)` and returns its result. Waits while all connections are in use. If the
  // connection gets lost, calls `read` again on another one, so `read` must be repeatable. Throws
  // EngineError.
  template <typename Read>
  auto read(const Read& read) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    for (;;) {
      Lease lease(*this);
      try {
        return read(lease.connection());
      } catch (const ConnectionLost&) {
        lease.discard();
        if (!wait_before_retry(deadline)) throw;
      }
    }
  }

  // Waits for a moment. False, without a wait, if that would be too late.
  static bool wait_before_retry(std::chrono::steady_clock::time_point deadline);

 private:
  // A slot of the pool, with its connection, if it has one.
  class Lease {
   public:
    explicit Lease(ConnectionPool& pool) : pool_(pool), connection_(pool.take()) {}
    ~Lease() { pool_.give_back(std::move(connection_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    // Connects if need be.
    PostgresConnection& connection();
    void discard();

   private:
    ConnectionPool& pool_;
    std::unique_ptr<PostgresConnection> connection_;
  };

  std::unique_ptr<PostgresConnection> take();
  void give_back(std::unique_ptr<PostgresConnection> connection);

  const StoreAddress& address_;
  PostgresCounters& counters_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable returned_;
  std::size_t free_;                                       // slots
  std::vector<std::unique_ptr<PostgresConnection>> idle_;  // at most as many
};

}  // namespace magneto::storage
