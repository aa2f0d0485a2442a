#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace magneto::api::access {

// The kind of policy that decided.
enum class Source : std::uint8_t {
  kAdministrator,  // no policy: an administrator may do everything that no policy denies
  kIdentity,
  kResource,
  kBoundary,
  kSession,
  kLimit,  // the limit on work for one request
};

// Whether a principal may perform one action, and why. Used in the answer and in the journal.
struct Decision {
  std::string principal;    // an ARN
  std::string_view action;  // refers to a literal; without "dynamodb:"
  std::string resource;     // an ARN, or "*"
  bool allowed = false;
  // True if a statement decided. False with a refusal: a policy of kind `source` would have to
  // allow the action.
  bool by_statement = false;
  Source source = Source::kAdministrator;
  std::string policy = {};     // name of the policy; empty: it has none, or no statement decided
  std::string statement = {};  // the statement's Sid, or "#2" for the second statement
};

// For example "identity-based policy".
std::string_view source_text(Source source);

}  // namespace magneto::api::access
