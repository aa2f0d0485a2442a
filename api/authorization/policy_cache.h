#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "api/access/policy.h"
#include "storage/model/table_schema.h"

namespace magneto::api {

// Resource policies as they were read once, by their revisions. Thread-safe.
class PolicyCache {
 public:
  static constexpr std::size_t kMaxPolicies = 1'000;

  // Throws PolicyError, which is a fault: such a policy is not taken.
  std::shared_ptr<const access::Policy> find(const storage::ResourcePolicy& stored);

 private:
  struct Entry {
    std::string text;  // other stores may have given the revision to another one
    std::shared_ptr<const access::Policy> policy;
  };

  std::mutex mutex_;  // guards what follows
  std::map<std::string, Entry, std::less<>> by_revision_;
};

}  // namespace magneto::api
