#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/access/context.h"
#include "api/access/decide.h"
#include "api/access/policy.h"
#include "api/access/principal.h"

namespace magneto::api::access {

// A user or a role, with its policies.
struct Identity {
  bool is_role = false;
  std::string name;
  std::string account;                   // if it is known by its name; else empty
  std::vector<std::string> access_keys;  // if it is known by these
  std::string user_id;                   // empty: not given
  std::vector<std::pair<std::string, std::string>> tags;
  std::vector<Policy> policies;
  std::vector<std::shared_ptr<const Group>> groups;  // of a user
  std::optional<Policy> boundary;
  std::optional<std::vector<Policy>> session;  // of a role: the policies of its sessions
};

// The name of a caller, from the credentials of its key.
struct CallerName {
  std::string_view access_key;
  std::string_view principal_arn;
  std::string_view account;
};

// Returns the principal of a caller: from `identity` or, if that is nullptr, from its credentials.
Principal principal_of(const CallerName& caller, const Identity* identity);
// Adds aws:username, aws:PrincipalArn and the other keys about the principal.
void add_principal_keys(const Principal& principal, const Identity* identity, Context& context);

// Users and roles with their policies, from a file (docs/policies.md). Immutable and thread-safe.
class Identities {
 public:
  static constexpr std::size_t kMaxFileBytes = 4 << 20;
  // Groups of one user (IAM user guide, "IAM and AWS STS quotas").
  static constexpr std::size_t kMaxGroups = 10;

  // Throws PolicyError with the place: "Users[2].Policies[0].Statement[1].Action: ...".
  static std::shared_ptr<const Identities> read(std::string_view text);

  // Searches by access key, then by name and account. Returns nullptr if the file does not name the
  // caller.
  const Identity* find(const CallerName& caller) const;
  std::size_t size() const { return all_.size(); }

  // A user or role without a caller, or one of its access keys.
  struct Unmatched {
    const Identity* identity = nullptr;
    std::string_view access_key;  // that no caller has; empty: no caller has the name
  };
  std::vector<Unmatched> unmatched(std::span<const CallerName> callers) const;

 private:
  void add(Identity identity);

  std::vector<std::unique_ptr<const Identity>> all_;
  std::map<std::string, const Identity*, std::less<>> by_access_key_;
  std::map<std::string, const Identity*, std::less<>> by_name_;  // "123456789012:user/ana"
};

}  // namespace magneto::api::access
