#pragma once

#include <stdexcept>

namespace magneto::api::access {

// Why a policy, or a file of them, cannot be used, with the place: "Users[0].Policies[1]: ...".
class PolicyError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace magneto::api::access
