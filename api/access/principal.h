#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/json/json_reader.h"

namespace magneto::api::access {

// Who asks.
struct Principal {
  std::string arn;       // of a user, or of the session of a role
  std::string role_arn;  // of that role; empty: it is none
  std::string account;
};

// How closely the Principal of a statement names somebody. An account that is named may let its own
// users in by its own policies, and no more is said of them. A role is not the very one who asks,
// its session is.
enum class Grant : std::uint8_t { kNone, kAccount, kEveryone, kRole, kExact };

// The principals that a statement of a resource policy is about. Services and federated users are
// nobody here.
class PrincipalPattern {
 public:
  enum class Kind : std::uint8_t {
    kNamed,         // Principal
    kAllButNamed,   // NotPrincipal
    kAllButItself,  // NotPrincipal that denies: a named account is only its root, not its users
  };

  // "*", or {"AWS": ...} with an account, an ARN, "*", or a list of these. The path of a user or role
  // does not count. Throws PolicyError.
  static PrincipalPattern read(json::Value value, Kind kind);

  Grant grant(const Principal& principal) const;

 private:
  void add(std::string_view text);
  Grant named(const Principal& principal) const;

  Kind kind_ = Kind::kNamed;
  bool everyone_ = false;
  std::vector<std::string> accounts_;
  std::vector<std::string> arns_;
};

}  // namespace magneto::api::access
