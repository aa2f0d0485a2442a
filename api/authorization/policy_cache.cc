#include "api/authorization/policy_cache.h"

namespace magneto::api {

std::shared_ptr<const access::Policy> PolicyCache::find(const storage::ResourcePolicy& stored) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = by_revision_.find(stored.revision);
    if (found != by_revision_.end() && found->second.text == stored.text) {
      return found->second.policy;
    }
  }
  auto policy = std::make_shared<const access::Policy>(
      access::Policy::read(stored.text, access::Policy::Kind::kResource, {}));
  const std::lock_guard lock(mutex_);
  // Policies in use are parsed again at their next use.
  if (by_revision_.size() >= kMaxPolicies) by_revision_.clear();
  by_revision_.insert_or_assign(stored.revision, Entry{stored.text, policy});
  return policy;
}

}  // namespace magneto::api
