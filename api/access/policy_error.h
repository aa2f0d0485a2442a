#pragma once

#include <stdexcept>

namespace magneto::api::access {

// The reason why a policy or a file of policies cannot be used, with the position:
// "Users[0].Policies[1]: ...".
class PolicyError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace magneto::api::access
