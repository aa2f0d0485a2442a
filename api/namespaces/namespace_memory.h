#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "api/namespaces/namespace.h"
#include "api/namespaces/removed_namespaces.h"
#include "storage/table/memory_budget.h"

namespace magneto::api {

// Ensures that namespaces and snapshots are made only while the process has memory for them.
// Thread-safe.
class NamespaceMemory {
 public:
  // `room`: the budget for all data in memory; nullptr: no limit.
  NamespaceMemory(std::shared_ptr<storage::MemoryBudget> room, RemovedNamespaces& removed)
      : room_(std::move(room)), removed_(removed) {}
  NamespaceMemory(const NamespaceMemory&) = delete;
  NamespaceMemory& operator=(const NamespaceMemory&) = delete;

  // Held while a namespace is made. Large namespaces are made one at a time; if memory is scarce,
  // so are all namespaces.
  using Turn = std::unique_lock<std::mutex>;
  // For an additional namespace or snapshot. Throws NamespaceError if the process is near its
  // memory limit or would reach it, even after the removed namespaces have been destroyed.
  Turn begin(const NamespaceSnapshot& data);
  // For a namespace that replaces another: only waits until removed namespaces have been destroyed.
  Turn begin_replacing(const NamespaceSnapshot& data);
  // Throws NamespaceError if the new namespace took more memory than expected.
  void check_made() const;
  // For a snapshot. The memory for it depends on the number of tables. Throws NamespaceError.
  void check_snapshot(const NamespaceSnapshot& taken) const;

 private:
  Turn begin(std::int64_t bytes, bool& has_room);

  const std::shared_ptr<storage::MemoryBudget> room_;
  RemovedNamespaces& removed_;
  std::mutex making_;
};

}  // namespace magneto::api
