#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "api/namespaces/namespace.h"
#include "api/namespaces/removed_namespaces.h"
#include "storage/table/memory_budget.h"

namespace magneto::api {

// Sees to it that namespaces and snapshots are made only while the process has memory for them.
// Thread-safe.
class NamespaceMemory {
 public:
  // `room`: of all data in memory; nullptr: nobody measures it, and all is made.
  NamespaceMemory(std::shared_ptr<storage::MemoryBudget> room, RemovedNamespaces& removed)
      : room_(std::move(room)), removed_(removed) {}
  NamespaceMemory(const NamespaceMemory&) = delete;
  NamespaceMemory& operator=(const NamespaceMemory&) = delete;

  // Held while a namespace is made: large ones, and all where little memory is left, are made one after
  // the other.
  using Turn = std::unique_lock<std::mutex>;
  // For a namespace more, or a snapshot. Throws NamespaceError where the process is near its limit, or
  // would be, also when all that was removed is gone.
  Turn begin(const NamespaceSnapshot& data);
  // For one in the place of another: only waits until what was removed is gone.
  Turn begin_replacing(const NamespaceSnapshot& data);
  // What was made took more than was expected: throws NamespaceError.
  void check_made() const;
  // For a snapshot of what has so many tables. Throws NamespaceError.
  void check_snapshot(const NamespaceSnapshot& taken) const;

 private:
  Turn begin(std::int64_t bytes, bool& has_room);

  const std::shared_ptr<storage::MemoryBudget> room_;
  RemovedNamespaces& removed_;
  std::mutex making_;
};

}  // namespace magneto::api
