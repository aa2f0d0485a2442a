#include "server/auth/messages.h"

#include <fmt/format.h>

namespace magneto::server::messages {

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

}  // namespace magneto::server::messages
