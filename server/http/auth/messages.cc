#include "server/http/auth/messages.h"

#include <fmt/format.h>

namespace magneto::server::http::messages {
namespace {

using api::ErrorType;

client::AuthError invalid(std::string message) {
  return {ErrorType::kInvalidSignature, std::move(message)};
}

}  // namespace

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

std::string open_credentials(std::string_view file, unsigned mode) {
  return fmt::format(
      "{} holds secrets that other users of this machine can read (mode {:04o}): chmod 600 {}",
      file, mode, file);
}

std::string identities_of_nobody(std::string_view file, std::span<const std::string> entries,
                                 std::size_t left_out) {
  const std::string more = left_out == 0 ? "" : fmt::format(", and {} more", left_out);
  return fmt::format(
      "{} has entries without a key in --credentials: {}{}; these principals are administrators",
      file, fmt::join(entries, ", "), more);
}

std::string lost_identities(std::string_view file, std::span<const std::string> entries,
                            std::size_t left_out) {
  const std::string more = left_out == 0 ? "" : fmt::format(", and {} more", left_out);
  return fmt::format("{} no longer names these principals, so they are administrators now: {}{}",
                     file, fmt::join(entries, ", "), more);
}

std::string identity_of_account(std::string_view name, bool is_role, std::string_view account) {
  return fmt::format("{} by the principal arn:aws:iam::{}:{}/{}", name, account,
                     is_role ? "role" : "user", name);
}

}  // namespace magneto::server::http::messages
