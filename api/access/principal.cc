#include "api/access/principal.h"

#include <algorithm>

#include "api/access/policy_error.h"
#include "api/access/texts.h"
#include "api/messages/access_messages.h"

namespace magneto::api::access {
namespace {

// Of "arn:aws:iam::123456789012:root"; else empty.
std::string_view account_of_root(std::string_view arn) {
  if (!take_beginning(arn, "arn:aws:iam::") || !take_ending(arn, ":root")) return {};
  return is_account(arn) ? arn : std::string_view();
}

}  // namespace

PrincipalPattern PrincipalPattern::read(json::Value value, bool negated) {
  PrincipalPattern pattern;
  pattern.negated_ = negated;
  if (value.is_string()) {
    pattern.add(value.string());
    return pattern;
  }
  for (const json::Member kind : value.object()) {
    if (kind.name != "AWS") continue;
    if (kind.value.is_string()) pattern.add(kind.value.string());
    for (const json::Value element : kind.value.array()) pattern.add(element.string());
  }
  return pattern;
}

void PrincipalPattern::add(std::string_view text) {
  const std::string_view root = account_of_root(text);
  if (text == "*") {
    everyone_ = true;
  } else if (is_account(text) || !root.empty()) {
    accounts_.emplace_back(root.empty() ? text : root);
  } else if (!text.empty()) {
    arns_.emplace_back(text);
  } else {
    throw PolicyError(std::string(messages::kWrongPrincipal));
  }
}

Grant PrincipalPattern::named(const Principal& principal) const {
  const auto names = [this](const std::string& arn) {
    return !arn.empty() && std::ranges::find(arns_, arn) != arns_.end();
  };
  if (names(principal.arn)) return Grant::kExact;
  if (names(principal.role_arn)) return Grant::kRole;
  if (everyone_) return Grant::kEveryone;
  const bool of_account = std::ranges::find(accounts_, principal.account) != accounts_.end();
  return of_account ? Grant::kAccount : Grant::kNone;
}

Grant PrincipalPattern::grant(const Principal& principal) const {
  const Grant grant = named(principal);
  if (!negated_) return grant;
  return grant == Grant::kNone ? Grant::kEveryone : Grant::kNone;
}

}  // namespace magneto::api::access
