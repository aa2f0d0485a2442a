#include "api/access/identities.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <span>

#include "api/access/policy_error.h"
#include "api/access/texts.h"
#include "api/messages/access_messages.h"
#include "api/nearest_name.h"

namespace magneto::api::access {
namespace {

constexpr std::string_view kUnknownAccount = "000000000000";

[[noreturn]] void fail(std::string_view place, std::string_view problem) {
  throw PolicyError(messages::at_place(place, problem));
}

// `known` are the object's members.
[[noreturn]] void refuse_member(std::string_view place, std::string_view name,
                                const std::vector<std::string>& known) {
  fail(place, messages::unknown_member(name, nearest_name(name, known)));
}

std::string name_key(std::string_view account, bool is_role, std::string_view name) {
  return joined(account, is_role ? ":role/" : ":user/", name);
}

// Returns the part of an ARN after the account: "user/ana" of "arn:aws:iam::123456789012:user/ana".
std::string_view resource_of(std::string_view arn) {
  constexpr int kColons = 5;
  for (int i = 0; i < kColons; ++i) {
    const std::size_t colon = arn.find(':');
    if (colon == std::string_view::npos) return {};
    arn.remove_prefix(colon + 1);
  }
  return arn;
}

struct NamedPrincipal {
  bool is_role = false;
  std::string_view name;  // without its path; empty: neither user nor role
};

NamedPrincipal read_principal(std::string_view arn) {
  constexpr std::string_view kSession = "assumed-role/";
  std::string_view resource = resource_of(arn);
  if (resource.starts_with(kSession)) {
    resource.remove_prefix(kSession.size());
    return {true, resource.substr(0, resource.find('/'))};
  }
  const bool is_role = resource.starts_with("role/");
  if (!is_role && !resource.starts_with("user/")) return {};
  return {is_role, resource.substr(resource.rfind('/') + 1)};
}

using Groups = std::map<std::string, std::shared_ptr<const Group>, std::less<>>;

// A document, or {"PolicyName": ..., "PolicyDocument": ...} as AWS's tools write it.
Policy read_policy(json::Value given, std::string_view prefix, std::string name,
                   const std::string& place) {
  const json::Value document = given.object().find("PolicyDocument");
  if (document) {
    for (const json::Member member : given.object()) {
      if (member.name == "PolicyName") {
        name = std::string(member.value.string());
      } else if (member.name != "PolicyDocument") {
        refuse_member(place, member.name, {"PolicyDocument", "PolicyName"});
      }
    }
  }
  try {
    return Policy::read(document ? document : given, Policy::Kind::kIdentity, joined(prefix, name));
  } catch (const PolicyError& error) {
    throw PolicyError(messages::at_place_within(place, error.what()));
  }
}

// `place` is of whose policies they are; `prefix` begins their names.
std::vector<Policy> read_policies(const json::Member& list, const std::string& place,
                                  std::string_view prefix = "") {
  if (!list.value.is_array()) fail(joined(place, ".", list.name), messages::kNotAList);
  std::vector<Policy> policies;
  for (const json::Value policy : list.value.array()) {
    const std::string name = joined(list.name, "[", std::to_string(policies.size()), "]");
    policies.push_back(read_policy(policy, prefix, name, joined(place, ".", name)));
  }
  return policies;
}

// One element of Groups.
std::shared_ptr<const Group> read_group(json::Value value, const std::string& place) {
  if (!value.is_object()) fail(place, messages::kNotAnObject);
  auto group = std::make_shared<Group>();
  group->name = std::string(value.object().find("GroupName").string());
  if (group->name.empty()) fail(joined(place, ".GroupName"), messages::kWrongName);
  for (const json::Member member : value.object()) {
    if (member.name == "Policies") {
      group->policies = read_policies(member, place, joined(group->name, "/"));
    } else if (member.name != "GroupName") {
      refuse_member(place, member.name, {"GroupName", "Policies"});
    }
  }
  return group;
}

// `groups` are those read so far.
void read_groups(const json::Member& list, Groups& groups) {
  if (!list.value.is_array()) fail(list.name, messages::kNotAList);
  std::size_t number = 0;
  for (const json::Value element : list.value.array()) {
    const auto group = read_group(element, joined("Groups[", std::to_string(number++), "]"));
    if (groups.emplace(group->name, group).second) continue;
    fail(list.name, messages::repeated_member(group->name));
  }
}

// One element of Users or Roles.
class IdentityReader {
 public:
  IdentityReader(json::Value value, bool is_role, std::string place, const Groups& groups)
      : value_(value), place_(std::move(place)), groups_(groups) {
    identity_.is_role = is_role;
  }

  Identity read() {
    if (!value_.is_object()) fail(place_, messages::kNotAnObject);
    for (const json::Member member : value_.object()) {
      if (std::ranges::find(seen_, member.name) != seen_.end()) {
        fail(place_, messages::repeated_member(member.name));
      }
      seen_.push_back(member.name);
      read_member(member);
    }
    if (identity_.name.empty() || identity_.name.find('/') != std::string::npos) {
      fail(at(own_name()), messages::kWrongName);
    }
    const bool has_keys = !identity_.access_keys.empty();
    if (has_keys && !identity_.account.empty()) fail(place_, messages::kKeysAndAccount);
    if (!has_keys && identity_.account.empty()) identity_.account = kUnknownAccount;
    return std::move(identity_);
  }

 private:
  std::string at(std::string_view member) const { return joined(place_, ".", member); }

  std::string text(const json::Member& member) const {
    if (!member.value.is_string() || member.value.string().empty()) {
      fail(at(member.name), messages::kNotAText);
    }
    return std::string(member.value.string());
  }

  std::string_view own_name() const { return identity_.is_role ? "RoleName" : "UserName"; }

  void read_member(const json::Member& member) {
    const auto belongs = [this](const KnownMember& one) {
      return identity_.is_role ? one.of_roles : one.of_users;
    };
    for (const KnownMember& one : known_members()) {
      if (one.name == member.name && belongs(one)) return (this->*one.read)(member);
    }
    std::vector<std::string> known;
    for (const KnownMember& one : known_members()) {
      if (belongs(one)) known.emplace_back(one.name);
    }
    refuse_member(place_, member.name, known);
  }

  void read_name(const json::Member& member) { identity_.name = text(member); }

  void read_account(const json::Member& member) {
    identity_.account = text(member);
    if (!is_account(identity_.account)) fail(at(member.name), messages::kNotAnAccount);
  }

  void read_user_id(const json::Member& member) { identity_.user_id = text(member); }

  void read_own_policies(const json::Member& member) {
    identity_.policies = read_policies(member, place_);
  }

  // An empty list is no session policy, as in AssumeRole.
  void read_session(const json::Member& member) {
    std::vector<Policy> policies = read_policies(member, place_);
    if (!policies.empty()) identity_.session = std::move(policies);
  }

  void read_boundary(const json::Member& member) {
    identity_.boundary = read_policy(member.value, "", std::string(member.name), at(member.name));
  }

  void read_access_keys(const json::Member& member) {
    if (!member.value.is_array()) fail(at(member.name), messages::kNotAList);
    for (const json::Value key : member.value.array()) {
      if (key.string().empty()) fail(at(member.name), messages::kNotTexts);
      identity_.access_keys.emplace_back(key.string());
    }
  }

  void read_tags(const json::Member& member) {
    if (!member.value.is_object()) fail(at(member.name), messages::kNotAnObject);
    for (const json::Member tag : member.value.object()) {
      if (!tag.value.is_string()) fail(at(member.name), messages::kNotTexts);
      identity_.tags.emplace_back(tag.name, tag.value.string());
    }
  }

  void read_memberships(const json::Member& member) {
    if (!member.value.is_array()) fail(at(member.name), messages::kNotAList);
    for (const json::Value name : member.value.array()) {
      const auto found = groups_.find(name.string());
      if (found == groups_.end()) fail(at(member.name), messages::unknown_group(name.string()));
      if (std::ranges::find(identity_.groups, found->second) != identity_.groups.end()) {
        fail(at(member.name), messages::repeated_member(name.string()));
      }
      if (identity_.groups.size() == Identities::kMaxGroups) {
        fail(at(member.name), messages::too_many_groups(Identities::kMaxGroups));
      }
      identity_.groups.push_back(found->second);
    }
  }

  struct KnownMember {
    std::string_view name;
    void (IdentityReader::*read)(const json::Member&);
    bool of_users = true;
    bool of_roles = true;
  };
  static std::span<const KnownMember> known_members();

  const json::Value value_;
  const std::string place_;
  const Groups& groups_;
  std::vector<std::string_view> seen_;
  Identity identity_;
};

std::span<const IdentityReader::KnownMember> IdentityReader::known_members() {
  static constexpr KnownMember kMembers[] = {
      {"UserName", &IdentityReader::read_name, true, false},
      {"RoleName", &IdentityReader::read_name, false, true},
      {"Account", &IdentityReader::read_account},
      {"UserId", &IdentityReader::read_user_id},
      {"AccessKeys", &IdentityReader::read_access_keys},
      {"Tags", &IdentityReader::read_tags},
      {"Policies", &IdentityReader::read_own_policies},
      {"Groups", &IdentityReader::read_memberships, true, false},
      {"SessionPolicies", &IdentityReader::read_session, false, true},
      {"PermissionsBoundary", &IdentityReader::read_boundary},
  };
  return kMembers;
}

}  // namespace

std::shared_ptr<const Identities> Identities::read(std::string_view text) {
  json::Document document;
  std::string padded(text);
  const std::optional<json::Value> value = document.parse(padded);
  if (!value) fail("", messages::kNotJson);
  if (!value->is_object()) fail("", messages::kNotAnObject);
  Groups groups;
  for (const json::Member list : value->object()) {
    if (list.name == "Groups") read_groups(list, groups);
  }
  auto identities = std::make_shared<Identities>();
  for (const json::Member list : value->object()) {
    const bool is_roles = list.name == "Roles";
    if (list.name == "Groups") continue;
    if (!is_roles && list.name != "Users") {
      refuse_member("", list.name, {"Groups", "Roles", "Users"});
    }
    if (!list.value.is_array()) fail(list.name, messages::kNotAList);
    std::size_t number = 0;
    for (const json::Value element : list.value.array()) {
      IdentityReader reader(element, is_roles,
                            joined(list.name, "[", std::to_string(number++), "]"), groups);
      identities->add(reader.read());
    }
  }
  return identities;
}

void Identities::add(Identity identity) {
  const auto& added = all_.emplace_back(std::make_unique<const Identity>(std::move(identity)));
  for (const std::string& key : added->access_keys) {
    if (by_access_key_.emplace(key, added.get()).second) continue;
    fail("", messages::repeated_access_key(key));
  }
  if (!added->access_keys.empty()) return;
  const std::string name = name_key(added->account, added->is_role, added->name);
  if (!by_name_.emplace(name, added.get()).second) fail("", messages::repeated_member(name));
}

const Identity* Identities::find(const CallerName& caller) const {
  const auto by_key = by_access_key_.find(caller.access_key);
  if (by_key != by_access_key_.end()) return by_key->second;
  const NamedPrincipal named = read_principal(caller.principal_arn);
  if (named.name.empty()) return nullptr;
  const auto found = by_name_.find(name_key(caller.account, named.is_role, named.name));
  return found == by_name_.end() ? nullptr : found->second;
}

std::vector<Identities::Unmatched> Identities::unmatched(
    std::span<const CallerName> callers) const {
  std::set<std::string_view> keys;
  std::set<const Identity*> found;
  for (const CallerName& caller : callers) {
    keys.insert(caller.access_key);
    found.insert(find(caller));
  }
  std::vector<Unmatched> unmatched;
  for (const auto& identity : all_) {
    for (const std::string& key : identity->access_keys) {
      if (!keys.contains(key)) unmatched.push_back({identity.get(), key});
    }
    if (identity->access_keys.empty() && !found.contains(identity.get())) {
      unmatched.push_back({identity.get(), {}});
    }
  }
  return unmatched;
}

Principal principal_of(const CallerName& caller, const Identity* identity) {
  Principal principal{.arn = std::string(caller.principal_arn),
                      .role_arn = {},
                      .account = std::string(caller.account)};
  const NamedPrincipal told = read_principal(caller.principal_arn);
  const bool is_role = identity != nullptr ? identity->is_role : told.is_role;
  const std::string_view name = identity != nullptr ? std::string_view(identity->name) : told.name;
  const bool is_told = identity == nullptr || (told.is_role == is_role && told.name == name);
  const std::string prefix = joined("arn:aws:iam::", caller.account);
  if (is_role) principal.role_arn = joined(prefix, ":role/", name);
  // The user of a role is a session of it, even if the credentials name only the role.
  const bool is_session = is_role && resource_of(caller.principal_arn).starts_with("assumed-role/");
  if (is_told && is_role == is_session) return principal;
  principal.arn = is_role ? joined("arn:aws:sts::", caller.account, ":assumed-role/", name, "/",
                                   caller.access_key)
                          : joined(prefix, ":user/", name);
  return principal;
}

void add_principal_keys(const Principal& principal, const Identity* identity, Context& context) {
  const bool is_role = !principal.role_arn.empty();
  context.set("aws:principalarn", is_role ? principal.role_arn : principal.arn);
  context.set("aws:principalaccount", principal.account);
  context.set("aws:principaltype", is_role ? "AssumedRole" : "User");
  const NamedPrincipal told = read_principal(principal.arn);
  if (!is_role && !told.name.empty()) context.set("aws:username", std::string(told.name));
  if (identity == nullptr) return;
  if (!identity->user_id.empty()) context.set("aws:userid", identity->user_id);
  for (const auto& [tag, value] : identity->tags) {
    context.set(lower_case(joined("aws:principaltag/", tag)), value);
  }
}

}  // namespace magneto::api::access
