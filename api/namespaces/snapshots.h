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
  FrozenNamespace frozen;
};
using NamedSnapshotPtr = std::shared_ptr<const NamedSnapshot>;

// The named snapshots of a process, which end with it. Each costs what has changed since. Those
// that refuse throw NamespaceError. Thread-safe.
class Snapshots {
 public:
  static constexpr std::size_t kMost = 1'000;

  void add(NamedSnapshotPtr snapshot);
  NamedSnapshotPtr get(std::string_view name) const;
  // By name.
  std::vector<NamedSnapshotPtr> list() const;
  void remove(std::string_view name);

 private:
  mutable std::mutex mutex_;  // guards snapshots_
  std::map<std::string, NamedSnapshotPtr, std::less<>> snapshots_;
};

}  // namespace magneto::api
