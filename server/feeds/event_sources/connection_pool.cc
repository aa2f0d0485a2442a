#include "server/feeds/event_sources/connection_pool.h"

#include <algorithm>
#include <utility>

namespace magneto::server::feeds {

std::string ConnectionPool::Purpose::key() const {
  return url.text() + " " + std::to_string(timeouts.connect.count()) + " " +
         std::to_string(timeouts.exchange.count()) + " " + std::to_string(longest_answer);
}

ConnectionPool::Use::Use(ConnectionPool& pool, const Purpose& purpose)
    : pool_(pool), key_(purpose.key()), connection_(pool.take(key_, purpose)) {}

ConnectionPool::Use::~Use() { pool_.give_back(key_, is_kept_ ? std::move(connection_) : nullptr); }

void ConnectionPool::need_certificates() {
  const std::lock_guard lock(mutex_);
  if (certificates_ == nullptr) certificates_ = client::load_certificates({});
}

std::unique_ptr<client::HttpConnection> ConnectionPool::take(const std::string& key,
                                                             const Purpose& purpose) {
  if (purpose.url.tls) need_certificates();
  drop_old();
  const std::lock_guard lock(mutex_);
  std::unique_ptr<client::HttpConnection> connection;
  const auto found = std::ranges::find(kept_, key, &Kept::key);
  if (found != kept_.end()) {
    connection = std::move(found->connection);
    kept_.erase(found);
  } else {
    connection = std::make_unique<client::HttpConnection>(purpose.url,
                                                          purpose.url.tls ? certificates_ : nullptr,
                                                          purpose.timeouts, purpose.longest_answer);
  }
  ++in_use_;
  make_room();
  return connection;
}

void ConnectionPool::give_back(const std::string& key,
                               std::unique_ptr<client::HttpConnection> connection) {
  const std::lock_guard lock(mutex_);
  --in_use_;
  if (connection != nullptr) kept_.push_back({key, std::move(connection), Clock::now()});
  make_room();
}

// Requires mutex_.
void ConnectionPool::make_room() {
  while (!kept_.empty() && kept_.size() + in_use_ > kMost) kept_.pop_front();
}

void ConnectionPool::drop_old() {
  const auto oldest = Clock::now() - kKeepTime;
  const std::lock_guard lock(mutex_);
  while (!kept_.empty() && kept_.front().since < oldest) kept_.pop_front();
}

std::size_t ConnectionPool::kept() const {
  const std::lock_guard lock(mutex_);
  return kept_.size();
}

}  // namespace magneto::server::feeds
