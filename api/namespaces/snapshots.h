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

// A namespace at one moment, under a name.
struct NamedSnapshot {
  std::string name;
  std::string of;  // the namespace
  std::chrono::system_clock::time_point created;
  NamespaceSnapshot contents;
  // It lies in the data directory and stays over the end of the process; `contents` has its clock, but
  // no store.
  bool is_saved = false;
};
using NamedSnapshotPtr = std::shared_ptr<const NamedSnapshot>;

// The named snapshots that there are. One that is not saved costs what has changed since, and ends
// with the process. Those that refuse throw NamespaceError. Thread-safe.
class Snapshots {
 public:
  static constexpr std::size_t kMost = 1'000;

  void add(NamedSnapshotPtr snapshot);
  // What add() would refuse.
  void check_can_add(std::string_view name) const;
  NamedSnapshotPtr get(std::string_view name) const;
  // By name.
  std::vector<NamedSnapshotPtr> list() const;
  // The one that was removed.
  NamedSnapshotPtr remove(std::string_view name);

 private:
  void check_room_for(std::string_view name) const;  // requires mutex_

  mutable std::mutex mutex_;  // guards snapshots_
  std::map<std::string, NamedSnapshotPtr, std::less<>> snapshots_;
};

}  // namespace magneto::api
