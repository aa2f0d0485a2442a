#include "server/http/answer_messages.h"

#include <fmt/format.h>

namespace magneto::server::http::messages {

std::string malformed_request(std::string_view why) {
  return fmt::format("Malformed HTTP request: {}\n", why);
}

std::string healthy(std::string_view region) {
  return fmt::format("healthy: dynamodb.{}.amazonaws.com ", region);
}

std::string unknown_namespace(std::string_view name) {
  return fmt::format(
      "X-Magneto-Namespace names no namespace: there is no '{}'; POST /_/namespaces makes one",
      name);
}

std::string namespace_gone(std::string_view name) {
  return fmt::format("The namespace '{}', to which this port led, was deleted", name);
}

std::string not_ready(std::string_view why) { return fmt::format("not ready: {}\n", why); }

}  // namespace magneto::server::http::messages
