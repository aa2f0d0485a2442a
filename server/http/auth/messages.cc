#include "server/http/auth/messages.h"

#include <fmt/format.h>

namespace magneto::server::http::messages {
namespace {

using api::ErrorType;

client::AuthError invalid(std::string message) {
  return {ErrorType::kInvalidSignature, std::move(message)};
}

}  // namespace

std::string wrong_region(std::string_view region) {
  return fmt::format("Credential should be scoped to a valid region, not '{}'. ", region);
}

std::string wrong_terminator(std::string_view terminator) {
  return fmt::format(
      "Credential should be scoped with a valid terminator: 'aws4_request', not '{}'. ",
      terminator);
}

std::string wrong_date(std::string_view date) {
  return fmt::format(
      "Date must be in ISO-8601 'basic format'. Got '{}'. See http://en.wikipedia.org/wiki/ISO_8601",
      date);
}

std::string wrong_algorithm(std::string_view algorithm) {
  return fmt::format("Unsupported AWS 'algorithm': '{}' (only AWS4-HMAC-SHA256 for now). ",
                     algorithm);
}

std::string wrong_credential(std::string_view credential) {
  return fmt::format(
      "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '{}'",
      credential);
}

std::string missing_parameter(std::string_view parameter) {
  return fmt::format("Authorization header requires '{}' parameter. ", parameter);
}

std::string missing_query_parameter(std::string_view parameter) {
  return fmt::format("AWS query-string parameters must include '{}'. ", parameter);
}

std::string repeated_query_parameter(std::string_view parameter) {
  return fmt::format("AWS query-string parameters must include '{}' only once. ", parameter);
}

client::AuthError signature_mismatch(std::string_view canonical_request,
                                     std::string_view string_to_sign) {
  return invalid(
      fmt::format("The request signature we calculated does not match the signature you provided. "
                  "Check your AWS Secret Access Key and signing method. "
                  "Consult the service documentation for details.\n\n"
                  "The Canonical String for this request should have been\n'{}'\n\n"
                  "The String-to-Sign should have been\n'{}'\n",
                  canonical_request, string_to_sign));
}

client::AuthError signature_expired(std::string_view date, std::string_view limit,
                                    std::string_view now, std::string_view allowed) {
  return invalid(fmt::format("Signature expired: {} is now earlier than {} ({} - {})", date, limit,
                             now, allowed));
}

client::AuthError signature_not_yet_current(std::string_view date, std::string_view limit,
                                            std::string_view now, std::string_view allowed) {
  return invalid(fmt::format("Signature not yet current: {} is still later than {} ({} + {})", date,
                             limit, now, allowed));
}

client::AuthError unknown_token() {
  return {ErrorType::kUnrecognizedClient, "The security token included in the request is invalid."};
}

client::AuthError expired_token() {
  return {ErrorType::kExpiredToken, "The security token included in the request is expired"};
}

client::AuthError unsigned_target() {
  return invalid("'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization.");
}

client::AuthError unsigned_namespace() {
  return invalid("'X-Magneto-Namespace' must be a 'SignedHeader' in the AWS Authorization.");
}

client::AuthError unsigned_body(std::string_view content_sha256) {
  return invalid(
      fmt::format("X-Amz-Content-Sha256 '{}' is not supported: the signature must cover the body.",
                  content_sha256));
}

client::AuthError too_many_signed_headers(std::size_t limit) {
  return {ErrorType::kIncompleteSignature,
          fmt::format("SignedHeaders must name between 1 and {} headers.", limit)};
}

client::AuthError too_many_fields(std::size_t limit) {
  return {ErrorType::kIncompleteSignature,
          fmt::format("A signed request must have at most {} header fields.", limit)};
}

client::AuthError too_many_query_parameters(std::size_t limit) {
  return {ErrorType::kIncompleteSignature,
          fmt::format("A signed request must have at most {} query parameters.", limit)};
}

client::AuthError wrong_expiry(std::string_view expires, long longest) {
  return {ErrorType::kIncompleteSignature,
          fmt::format("X-Amz-Expires must be a number of seconds from 1 to {}, not '{}'.", longest,
                      expires)};
}

std::string cannot_read_credentials(std::string_view file, std::string_view problem) {
  return fmt::format("cannot read credentials from {} (--credentials): {}", file, problem);
}

std::string at_line(std::string_view file, std::size_t line, std::string_view problem) {
  return fmt::format("{}:{}: {}", file, line, problem);
}

std::string no_credentials(std::string_view file) {
  return fmt::format(
      "{} (--credentials) holds no profile with aws_access_key_id and aws_secret_access_key", file);
}

std::string missing_property(std::string_view profile, std::string_view property) {
  return fmt::format("profile [{}] has no {}", profile, property);
}

std::string wrong_property(std::string_view property, std::string_view form) {
  return fmt::format("{} must be {}", property, form);
}

std::string repeated_property(std::string_view profile, std::string_view property) {
  return fmt::format("profile [{}] has {} twice", profile, property);
}

std::string repeated_section(std::string_view section, std::size_t line) {
  return fmt::format("[{}] begins in line {} too", section, line);
}

std::string repeated_access_key(std::string_view profile, std::size_t line) {
  return fmt::format("profile [{}] in line {} has this aws_access_key_id too", profile, line);
}

std::string other_account(std::string_view property, std::string_view other) {
  return fmt::format("{} names another account than {}", property, other);
}

std::string kept_credentials(std::string_view problem) {
  return fmt::format("{}; the credentials read before stay in use", problem);
}

std::string open_credentials(std::string_view file, unsigned mode) {
  return fmt::format(
      "{} holds secrets that other users of this machine can read (mode {:04o}): chmod 600 {}",
      file, mode, file);
}

std::string cannot_read_identities(std::string_view file, std::string_view problem) {
  return fmt::format("cannot read users and roles from {} (--iam): {}", file, problem);
}

std::string wrong_identities(std::string_view file, std::string_view problem) {
  return fmt::format("{}: {}", file, problem);
}

std::string identities_of_nobody(std::string_view file, std::span<const std::string> entries,
                                 std::size_t left_out) {
  const std::string more = left_out == 0 ? "" : fmt::format(", and {} more", left_out);
  return fmt::format(
      "{} has entries that no key of --credentials belongs to: {}{}; whoever is meant is an administrator",
      file, fmt::join(entries, ", "), more);
}

std::string lost_identities(std::string_view file, std::span<const std::string> entries,
                            std::size_t left_out) {
  const std::string more = left_out == 0 ? "" : fmt::format(", and {} more", left_out);
  return fmt::format(
      "{} does not name these principals any more, so they are administrators now: {}{}", file,
      fmt::join(entries, ", "), more);
}

std::string identity_of_key(std::string_view name, std::string_view access_key) {
  return fmt::format("{} by the access key {}", name, access_key);
}

std::string identity_of_account(std::string_view name, bool is_role, std::string_view account) {
  return fmt::format("{} by the principal arn:aws:iam::{}:{}/{}", name, account,
                     is_role ? "role" : "user", name);
}

std::string kept_identities(std::string_view problem) {
  return fmt::format("{}; the policies read before stay in use", problem);
}

}  // namespace magneto::server::http::messages
