#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "api/namespaces/namespace.h"

namespace magneto::api {

// The state of a namespace at one moment, under a name.
struct NamedSnapshot {
  std::string name;
  std::string of;  // the namespace's name
  std::chrono::system_clock::time_point created;
  NamespaceSnapshot contents;
  // Whether it is in the data directory, so that it survives the process. Then `contents` has the
  // clock, but no store.
  bool is_saved = false;
};
using NamedSnapshotPtr = std::shared_ptr<const NamedSnapshot>;

// The named snapshots. A snapshot that is not saved takes memory for the changes since, and ends
// with the process. Functions that refuse throw NamespaceError. Thread-safe.
class Snapshots {
 public:
  static constexpr std::size_t kMost = 1'000;

  void add(NamedSnapshotPtr snapshot);
  // Throws if add() would refuse.
  void check_can_add(std::string_view name) const;
  NamedSnapshotPtr get(std::string_view name) const;
  // Ordered by name.
  std::vector<NamedSnapshotPtr> list() const;
  // Returns the removed snapshot.
  NamedSnapshotPtr remove(std::string_view name);

 private:
  void check_room_for(std::string_view name) const;  // requires mutex_

  mutable std::mutex mutex_;  // guards snapshots_
  std::map<std::string, NamedSnapshotPtr, std::less<>> snapshots_;
};

}  // namespace magneto::api
