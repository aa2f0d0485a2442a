#include "server/client/endpoint/messages.h"

#include <fmt/format.h>

namespace magneto::server::client::messages {

std::string unreadable_profile_file(std::string_view path) {
  return fmt::format("{} cannot be read", path);
}

std::string long_profile_file(std::string_view path) {
  return fmt::format("{} is too long for a file of profiles", path);
}

std::string profile_file_fault(std::string_view path, std::size_t line, std::string_view problem) {
  return fmt::format("{}:{}: {}", path, line, problem);
}

std::string no_such_profile(std::string_view profile) {
  return fmt::format("there is no profile {} in AWS's files of credentials and configuration",
                     profile);
}

std::string half_a_key(std::string_view access_key, std::string_view secret_key) {
  return fmt::format("{} and {} belong together, but only one of them is given", access_key,
                     secret_key);
}

std::string keys_elsewhere(std::string_view way, std::string_view profile) {
  return fmt::format(
      "keys by {} are not supported; set them in the environment: eval \"$(aws configure export-credentials --profile {} --format env)\"",
      way, profile);
}

std::string unknown_streams_host(std::string_view url) {
  return fmt::format(
      "it is not known which host has the streams of {}: name the region's own endpoint, such as aws:eu-west-1",
      url);
}

std::string no_keys(std::string_view endpoint) {
  return fmt::format(
      "no keys for {} were found in the environment or AWS's files (those of a machine's or a container's role are not asked for); set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give --profile",
      endpoint);
}

std::string no_endpoint_url(std::string_view text) {
  return fmt::format(
      "{} is no address of a server; give http://HOST:PORT, https://HOST, aws or aws:REGION", text);
}

std::string unsafe_aws_url(std::string_view url) {
  return fmt::format("{} would carry the items to AWS in clear text; give https://", url);
}

std::string error_of_a_call(std::string_view type, std::string_view message) {
  return fmt::format("{} ({})", type, message);
}

std::string no_json(std::string_view body) {
  return fmt::format("the answer is not DynamoDB's: {}", body);
}

std::string call_refused(std::string_view endpoint, std::string_view operation,
                         std::string_view why) {
  return fmt::format("{} does not answer {}: {}", endpoint, operation, why);
}

std::string cannot_connect(std::string_view endpoint, std::string_view why) {
  return fmt::format("cannot connect to {} ({})", endpoint, why);
}

std::string lost_connection(std::string_view endpoint, std::string_view why) {
  return fmt::format("the connection to {} was lost ({})", endpoint, why);
}

std::string unsendable_field(std::string_view name) {
  return fmt::format("what would be the header field {} has other characters than printable ASCII",
                     name);
}

std::string malformed_answer(std::string_view why) {
  return fmt::format("its answer is no HTTP: {}", why);
}

std::string certificate_of_others(std::string_view endpoint, std::string_view why) {
  return fmt::format("the certificate of {} is for another name ({})", endpoint, why);
}

std::string certificate_refused(std::string_view endpoint, std::string_view why) {
  return fmt::format(
      "the certificate of {} cannot be trusted ({}); --ca names a file of further certificates to trust",
      endpoint, why);
}

std::string unusable_ca_file(std::string_view path, std::string_view why) {
  return fmt::format("{} is no file of certificates ({})", path, why);
}

}  // namespace magneto::server::client::messages
