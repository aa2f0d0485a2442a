#include "api/namespaces/snapshots.h"

#include <utility>

#include "api/messages/namespace_messages.h"
#include "api/namespaces/namespace_error.h"
#include "api/namespaces/namespace_name.h"

namespace magneto::api {
namespace {

using Refusal = NamespaceError::Kind;

void check_name(std::string_view name) {
  if (!is_namespace_name(name)) throw NamespaceError(Refusal::kInvalid, messages::kSnapshotName);
}

}  // namespace

void Snapshots::add(NamedSnapshotPtr snapshot) {
  check_name(snapshot->name);
  const std::lock_guard lock(mutex_);
  if (snapshots_.contains(snapshot->name)) {
    throw NamespaceError(Refusal::kTaken, messages::snapshot_taken(snapshot->name));
  }
  if (snapshots_.size() >= kMost) {
    throw NamespaceError(Refusal::kFull, messages::too_many_snapshots(kMost));
  }
  snapshots_.emplace(snapshot->name, snapshot);
}

NamedSnapshotPtr Snapshots::get(std::string_view name) const {
  check_name(name);
  const std::lock_guard lock(mutex_);
  const auto found = snapshots_.find(name);
  if (found == snapshots_.end()) {
    throw NamespaceError(Refusal::kUnknown, messages::unknown_snapshot(name));
  }
  return found->second;
}

std::vector<NamedSnapshotPtr> Snapshots::list() const {
  std::vector<NamedSnapshotPtr> all;
  const std::lock_guard lock(mutex_);
  for (const auto& [name, snapshot] : snapshots_) all.push_back(snapshot);
  return all;
}

// What only this one held is destroyed without the lock.
void Snapshots::remove(std::string_view name) {
  const NamedSnapshotPtr removed = get(name);
  const std::lock_guard lock(mutex_);
  const auto found = snapshots_.find(name);
  if (found != snapshots_.end() && found->second == removed) snapshots_.erase(found);
}

}  // namespace magneto::api
