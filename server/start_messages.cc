#include "server/start_messages.h"

#include <fmt/format.h>

namespace magneto::server::messages {

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

std::string port_file_failed(std::string_view path, std::string_view why) {
  return fmt::format(
      "cannot write the port file {} ({}); name a file in a writable directory with --port-file",
      path, why);
}

std::string reachable(std::string_view address) {
  return fmt::format(
      "other machines can reach {}, and credentials are not compared with anything: whoever can connect can read and change all data",
      address);
}

std::string reachable_metrics(std::string_view address) {
  return fmt::format(
      "other machines can reach {}: /metrics shows the names of tables to whoever connects, without credentials; --no-metrics removes it",
      address);
}

std::string ready(std::string_view version, std::string_view address, std::string_view directory,
                  bool sync_writes, std::string_view tables) {
  const std::string place = directory.empty() ? "in memory" : fmt::format("data in {}", directory);
  return fmt::format("magneto {} listening on {}, {}{}{}{}\n", version, address, place,
                     sync_writes ? ", fsync on every write" : "", tables.empty() ? "" : ", ",
                     tables);
}

std::string access_log_failed(std::string_view path, std::string_view why) {
  return fmt::format("cannot open the access log {} (--access-log): {}", path, why);
}

}  // namespace magneto::server::messages
