#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string_view>
#include <vector>

#include "api/namespaces/namespaces.h"

namespace magneto::api {

// What changes, or waits for, the state of a namespace as a whole. Each takes long and may wait:
// never on an I/O thread. Four work at a time, of all namespaces, and 64 settle; others wait for their
// turn, and more are refused. They throw NamespaceError.
class NamespaceState {
 public:
  static constexpr std::size_t kAtOnce = 4;
  static constexpr std::size_t kSettlesAtOnce = 64;
  static constexpr std::size_t kMostWaiting = 200;

  // Whether the client who asked has gone.
  using HasLeft = std::function<bool()>;

  // `is_stopping`: the server is to end; thread-safe. Both outlive it.
  NamespaceState(Namespaces& namespaces, std::function<bool()> is_stopping)
      : namespaces_(namespaces), is_stopping_(std::move(is_stopping)) {}

  // The data of a namespace is as it began: that of the main one, and of what began empty, is
  // nothing. Requests under way meanwhile see what was there; those of the main one may find their
  // tables deleted.
  void reset(std::string_view name);

  // Deletes the items of these tables, or of all, and backups too, where none is named, and keeps
  // their schemas: as clients would, so streams tell of it. What is written meanwhile may stay, and
  // a backup from which a table is being restored. How many items went.
  // Ends early when `has_left` says that nobody waits for it any more.
  std::uint64_t truncate(std::string_view name, const std::vector<std::string_view>& tables,
                         const HasLeft& has_left);

  // Waits until the background work known now is done (Database::settle). False: not within
  // `timeout`; it goes on then.
  bool settle(std::string_view name, std::chrono::milliseconds timeout, const HasLeft& has_left);

 private:
  // Of one kind of work. Guarded by mutex_.
  struct Turns {
    std::size_t at_once;
    std::size_t working = 0;
    std::size_t waiting = 0;
  };
  class Turn;
  class Deadline;

  void delete_all_tables(Namespace& space, const Deadline& deadline);

  Namespaces& namespaces_;
  const std::function<bool()> is_stopping_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable left_;
  Turns changes_{kAtOnce};
  Turns settles_{kSettlesAtOnce};
};

}  // namespace magneto::api
