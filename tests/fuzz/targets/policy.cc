// A policy: the text of a resource's policy, a NUL, and the values for its decision: action,
// resource, principal and a value for every condition key that matters, with NULs between. A valid
// policy decides the same each time, and within the limit of its work.

#include <string>
#include <string_view>
#include <vector>

#include "api/access/decide.h"
#include "api/access/identities.h"
#include "api/access/policy_error.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

namespace access = api::access;

std::string_view take(std::string_view& rest) {
  const std::size_t end = rest.find('\0');
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return part;
}

access::Decision decide(const access::Policy& policy, access::Policy::Kind kind,
                        std::string_view rest) {
  const std::string action(take(rest));
  const std::string resource(take(rest));
  const std::string arn(take(rest));
  const access::CallerName caller{"key", arn, "123456789012"};
  const access::Principal principal = access::principal_of(caller, nullptr);
  access::Context context;
  access::add_principal_keys(principal, nullptr, context);
  const std::string value(take(rest));
  for (const char* const key : {"dynamodb:leadingkeys", "dynamodb:attributes", "aws:sourceip",
                                "aws:currenttime", "aws:securetransport", "dynamodb:select"}) {
    context.set(key, access::Context::Values{value, "other"});
  }
  const bool is_identity = kind == access::Policy::Kind::kIdentity;
  access::Applicable applicable{.identity = {}};
  if (is_identity) {
    applicable.identity = {&policy, 1};
  } else {
    applicable.resource = &policy;
  }
  access::Meter meter;
  access::Decision decision{.principal = {}, .action = {}, .resource = {}};
  access::decide({principal, action, resource, context}, applicable, meter, decision);
  return decision;
}

}  // namespace

void fuzz_policy(std::string_view input) {
  std::string_view rest = input;
  const std::string_view text = take(rest);
  try {
    access::Identities::read(text);
  } catch (const access::PolicyError& error) {
    require(!std::string_view(error.what()).empty(), "a refused file says why");
  }
  for (const auto kind : {access::Policy::Kind::kIdentity, access::Policy::Kind::kResource}) {
    try {
      const access::Policy policy = access::Policy::read(text, kind, "policy");
      const access::Decision first = decide(policy, kind, rest);
      const access::Decision second = decide(policy, kind, rest);
      require(first.allowed == second.allowed && first.statement == second.statement,
              "a policy decides the same each time");
      require(!first.allowed || first.by_statement, "nothing is allowed without a statement");
    } catch (const access::PolicyError& error) {
      require(!std::string_view(error.what()).empty(), "a refused policy says why");
    }
  }
}

}  // namespace magneto::fuzz
