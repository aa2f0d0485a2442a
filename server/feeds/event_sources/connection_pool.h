#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "server/client/endpoint/http_connection.h"

namespace magneto::server::feeds {

// Connections to the endpoints of functions and of failure destinations, shared by all mappings, so
// that many mappings need few descriptors. Thread-safe.
class ConnectionPool {
 public:
  // The maximum of kept and used connections, unless more than that are in use.
  static constexpr std::size_t kMost = 64;
  static constexpr std::size_t kMostDescriptors = kMost;  // a connection is one socket
  // How long an unused connection is kept. The time is short, because a call fails if the server
  // closes its connection at the same moment.
  static constexpr std::chrono::seconds kKeepTime{1};

  // Connections with equal purposes are interchangeable.
  struct Purpose {
    client::EndpointUrl url;
    client::ClientTimeouts timeouts;
    std::size_t longest_answer = 0;

    std::string key() const;
  };

  // Uses a connection while it lives.
  class Use {
   public:
    Use(ConnectionPool& pool, const Purpose& purpose);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    client::HttpConnection& connection() { return *connection_; }
    // Allows reuse of the connection.
    void keep() { is_kept_ = true; }

   private:
    ConnectionPool& pool_;
    const std::string key_;
    std::unique_ptr<client::HttpConnection> connection_;
    bool is_kept_ = false;
  };

  // Reads the certificates once. Throws std::runtime_error with a sentence if there are none.
  void need_certificates();
  void drop_old();
  std::size_t kept() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Kept {
    std::string key;
    std::unique_ptr<client::HttpConnection> connection;
    Clock::time_point since;
  };

  std::unique_ptr<client::HttpConnection> take(const std::string& key, const Purpose& purpose);
  void give_back(const std::string& key, std::unique_ptr<client::HttpConnection> connection);
  void make_room();

  mutable std::mutex mutex_;  // guards the members below
  std::shared_ptr<client::TrustedCertificates> certificates_;
  std::deque<Kept> kept_;  // the longest kept first
  std::size_t in_use_ = 0;
};

}  // namespace magneto::server::feeds
