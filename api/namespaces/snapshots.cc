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

void Snapshots::check_room_for(std::string_view name) const {
  if (snapshots_.contains(name)) {
    throw NamespaceError(Refusal::kTaken, messages::snapshot_taken(name));
  }
  if (snapshots_.size() >= kMost) {
    throw NamespaceError(Refusal::kFull, messages::too_many_snapshots(kMost));
  }
}

void Snapshots::check_can_add(std::string_view name) const {
  check_name(name);
  const std::lock_guard lock(mutex_);
  check_room_for(name);
}

void Snapshots::add(NamedSnapshotPtr snapshot) {
  check_name(snapshot->name);
  const std::lock_guard lock(mutex_);
  check_room_for(snapshot->name);
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

// Contents that only this snapshot holds are destroyed without the lock.
NamedSnapshotPtr Snapshots::remove(std::string_view name) {
  NamedSnapshotPtr removed = get(name);
  const std::lock_guard lock(mutex_);
  const auto found = snapshots_.find(name);
  if (found != snapshots_.end() && found->second == removed) snapshots_.erase(found);
  return removed;
}

}  // namespace magneto::api
