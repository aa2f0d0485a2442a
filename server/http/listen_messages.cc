#include "server/http/listen_messages.h"

#include <fmt/format.h>

namespace magneto::server::http::messages {

std::string port_in_use(std::uint16_t port, std::string_view host) {
  return fmt::format(
      "port {} on {} is already in use; stop the program that holds it or choose another port with --port",
      port, host);
}

std::string port_denied(std::uint16_t port, std::string_view host) {
  return fmt::format(
      "no permission to listen on port {} on {}; choose a port above 1023 with --port", port, host);
}

std::string not_an_address(std::string_view host) {
  return fmt::format("{} is not an address of this machine; choose one with --host", host);
}

std::string cannot_listen(std::uint16_t port, std::string_view host, std::string_view why) {
  return fmt::format("cannot listen on port {} on {}: {}", port, host, why);
}

std::string unknown_host(std::string_view host, std::string_view why) {
  return fmt::format(
      "cannot find the address of host '{}' ({}); give an address of this machine with --host",
      host, why);
}

std::string access_log_failed(std::string_view path, std::string_view why) {
  return fmt::format("cannot open the access log {} (--access-log): {}", path, why);
}

std::string port_file_failed(std::string_view path, std::string_view why) {
  return fmt::format(
      "cannot write the port file {} ({}); name a file in a writable directory with --port-file",
      path, why);
}

}  // namespace magneto::server::http::messages
