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

// Operations that change, or wait for, the state of a whole namespace. Each takes long and may
// wait, so never call them on an I/O thread. Across all namespaces, four changes and 64 settles run
// at a time. Further calls wait for their turn, up to a limit, and are then refused. Throws
// NamespaceError.
class NamespaceState {
 public:
  static constexpr std::size_t kAtOnce = 4;
  static constexpr std::size_t kSettlesAtOnce = 64;
  static constexpr std::size_t kMostWaiting = 200;

  // Whether the client has disconnected.
  using HasLeft = std::function<bool()>;

  // `is_stopping`: whether the server is stopping; thread-safe. Both arguments must outlive this
  // object.
  NamespaceState(Namespaces& namespaces, std::function<bool()> is_stopping)
      : namespaces_(namespaces), is_stopping_(std::move(is_stopping)) {}

  // Returns the data of a namespace to its beginning. The main namespace, and those that began
  // empty, become empty. Running requests still see the former data; requests to the main namespace
  // may find their tables deleted.
  void reset(std::string_view name);

  // Deletes the items of these tables and keeps their schemas. If `tables` is empty, deletes the
  // items of all tables, and all backups. Items are deleted as clients would delete them, so
  // streams record it. Items written in the meantime may stay, and so may a backup that is being
  // restored. Returns the number of deleted items.
  // Ends early, and throws, if `has_left` returns true or the server stops.
  std::uint64_t truncate(std::string_view name, const std::vector<std::string_view>& tables,
                         const HasLeft& has_left);

  // Waits until the background work known at the call is done (Database::settle). False if that
  // takes longer than `timeout`; the work continues.
  bool settle(std::string_view name, std::chrono::milliseconds timeout, const HasLeft& has_left);

 private:
  // The turns of one kind of work. Guarded by mutex_.
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
  std::mutex mutex_;  // guards the members below
  std::condition_variable left_;
  Turns changes_{kAtOnce};
  Turns settles_{kSettlesAtOnce};
};

}  // namespace magneto::api
