#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "server/client/endpoint/http_connection.h"

namespace magneto::server::feeds {

// Connections to endpoints of functions and of what they did not take, of all mappings together, so
// that however many there are, descriptors are few. Thread-safe.
class ConnectionPool {
 public:
  // Kept and in use, if no more than that are in use.
  static constexpr std::size_t kMost = 64;
  static constexpr std::size_t kMostDescriptors = kMost;  // a connection is one socket
  // While nobody uses them; not for long, since one that its server closes at the moment of a call
  // would make that fail.
  static constexpr std::chrono::seconds kKeepTime{1};

  // Those with an equal purpose can stand in for each other.
  struct Purpose {
    client::EndpointUrl url;
    client::ClientTimeouts timeouts;
    std::size_t longest_answer = 0;

    std::string key() const;
  };

  // In use while it lives.
  class Use {
   public:
    Use(ConnectionPool& pool, const Purpose& purpose);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    client::HttpConnection& connection() { return *connection_; }
    // It may be used again.
    void keep() { is_kept_ = true; }

   private:
    ConnectionPool& pool_;
    const std::string key_;
    std::unique_ptr<client::HttpConnection> connection_;
    bool is_kept_ = false;
  };

  // Throws std::runtime_error, a sentence, where certificates cannot be had. They are read once.
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

  mutable std::mutex mutex_;  // guards what follows
  std::shared_ptr<client::TrustedCertificates> certificates_;
  std::deque<Kept> kept_;  // the longest first
  std::size_t in_use_ = 0;
};

}  // namespace magneto::server::feeds
