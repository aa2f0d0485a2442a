#include "api/access/principal.h"

#include <algorithm>

#include "api/access/policy_error.h"
#include "api/access/texts.h"
#include "api/messages/access_messages.h"

namespace magneto::api::access {
namespace {

// The account in "arn:aws:iam::123456789012:root"; empty for other ARNs.
std::string_view account_of_root(std::string_view arn) {
  if (!take_beginning(arn, "arn:aws:iam::") || !take_ending(arn, ":root")) return {};
  return is_account(arn) ? arn : std::string_view();
}

// "arn:aws:iam::123456789012:role/team/reader" -> "arn:aws:iam::123456789012:role/reader". A name
// identifies one user or role of an account, with any path (AWS, "IAM identifiers").
std::string without_path(std::string_view arn) {
  const std::size_t colon = arn.rfind(':');
  if (!arn.starts_with("arn:aws:iam::") || colon == std::string_view::npos) return std::string(arn);
  const std::string_view resource = arn.substr(colon + 1);
  if (!resource.starts_with("user/") && !resource.starts_with("role/")) return std::string(arn);
  const std::size_t kind = colon + 1 + resource.find('/');
  return std::string(arn.substr(0, kind)).append(arn.substr(arn.rfind('/')));
}

}  // namespace

PrincipalPattern PrincipalPattern::read(json::Value value, Kind kind_of_element) {
  PrincipalPattern pattern;
  pattern.kind_ = kind_of_element;
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
    arns_.push_back(without_path(text));
  } else {
    throw PolicyError(std::string(messages::kWrongPrincipal));
  }
}

Grant PrincipalPattern::named(const Principal& principal) const {
  const auto names = [this](const std::string& arn) {
    return !arn.empty() && std::ranges::find(arns_, without_path(arn)) != arns_.end();
  };
  if (names(principal.arn)) return Grant::kExact;
  if (names(principal.role_arn)) return Grant::kRole;
  if (everyone_) return Grant::kEveryone;
  const bool of_account = std::ranges::find(accounts_, principal.account) != accounts_.end();
  return of_account ? Grant::kAccount : Grant::kNone;
}

Grant PrincipalPattern::grant(const Principal& principal) const {
  const Grant grant = named(principal);
  if (kind_ == Kind::kNamed) return grant;
  const bool counts = grant != Grant::kAccount || kind_ == Kind::kAllButNamed ||
                      !account_of_root(principal.arn).empty();
  return grant == Grant::kNone || !counts ? Grant::kEveryone : Grant::kNone;
}

}  // namespace magneto::api::access
