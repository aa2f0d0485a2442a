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

// Parsed resource policies by revision. Thread-safe.
class PolicyCache {
 public:
  static constexpr std::size_t kMaxPolicies = 1'000;

  // Throws PolicyError, which is a fault: the server does not accept such a policy.
  std::shared_ptr<const access::Policy> find(const storage::ResourcePolicy& stored);

 private:
  struct Entry {
    std::string text;  // another store may have given the same revision to another text
    std::shared_ptr<const access::Policy> policy;
  };

  std::mutex mutex_;  // guards the members below
  std::map<std::string, Entry, std::less<>> by_revision_;
};

}  // namespace magneto::api
