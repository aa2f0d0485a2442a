#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace magneto::api::access {

// Whose word a decision is.
enum class Source : std::uint8_t {
  kAdministrator,  // no policy's: the caller may do what nothing denies
  kIdentity,
  kResource,
  kBoundary,
  kSession,
  kLimit,  // of the work for one request
};

// Whether a principal may do one thing, and why: for who answers, and for the journal.
struct Decision {
  std::string principal;    // an ARN
  std::string_view action;  // of a literal, without "dynamodb:"
  std::string resource;     // an ARN, or "*"
  bool allowed = false;
  // A statement says so. Of a refusal without one: a policy of this source would have to allow it.
  bool by_statement = false;
  Source source = Source::kAdministrator;
  std::string policy = {};     // its name; empty: it has none, or no statement decided
  std::string statement = {};  // its Sid, or "#2" for the second one
};

// "identity-based policy".
std::string_view source_text(Source source);

}  // namespace magneto::api::access
