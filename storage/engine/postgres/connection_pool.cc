#include "storage/engine/postgres/connection_pool.h"

#include <thread>

namespace magneto::storage {

PostgresConnection& ConnectionPool::Lease::connection() {
  if (connection_ == nullptr) connection_ = std::make_unique<PostgresConnection>(pool_.address_);
  return *connection_;
}

void ConnectionPool::Lease::discard() {
  if (connection_ == nullptr) return;
  pool_.counters_.lost_connections.fetch_add(1, std::memory_order_relaxed);
  connection_.reset();
}

std::unique_ptr<PostgresConnection> ConnectionPool::take() {
  std::unique_lock lock(mutex_);
  returned_.wait(lock, [this] { return free_ != 0; });
  --free_;
  if (idle_.empty()) return nullptr;
  std::unique_ptr<PostgresConnection> connection = std::move(idle_.back());
  idle_.pop_back();
  return connection;
}

void ConnectionPool::give_back(std::unique_ptr<PostgresConnection> connection) {
  {
    const std::lock_guard lock(mutex_);
    ++free_;
    if (connection != nullptr && connection->is_usable()) idle_.push_back(std::move(connection));
  }
  returned_.notify_one();
}

bool ConnectionPool::wait_before_retry(std::chrono::steady_clock::time_point deadline) {
  constexpr std::chrono::milliseconds kPause(50);
  if (std::chrono::steady_clock::now() + kPause >= deadline) return false;
  std::this_thread::sleep_for(kPause);
  return true;
}

}  // namespace magneto::storage
