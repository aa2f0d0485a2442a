#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/json/json_reader.h"

namespace magneto::api::access {

// The user or role session that makes a request.
struct Principal {
  std::string arn;       // of a user, or of a role session
  std::string role_arn;  // of the session's role; empty: not a role session
  std::string account;
};

// How closely the Principal of a statement matches a principal. A statement that names an account
// leaves it to that account's own policies to allow its users. A role matches less exactly than its
// session, because the session makes the request.
enum class Grant : std::uint8_t { kNone, kAccount, kEveryone, kRole, kExact };

// The principals to which a statement of a resource policy applies. Services and federated users
// match no principal here.
class PrincipalPattern {
 public:
  enum class Kind : std::uint8_t {
    kNamed,         // Principal
    kAllButNamed,   // NotPrincipal
    kAllButItself,  // NotPrincipal that denies: an account excepts only its root, not its users
  };

  // "*", or {"AWS": ...} with an account, an ARN, "*", or a list of these. The path of a user or
  // role is ignored. Throws PolicyError.
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
