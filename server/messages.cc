#include "server/messages.h"

#include <fmt/format.h>

namespace magneto::server::messages {

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

std::string fault(std::string_view operation, std::string_view request_id, std::string_view why) {
  return fmt::format("fault in {} (request {}): {}", operation, request_id, why);
}

std::string repeated(std::string_view message, std::uint64_t left_out) {
  return fmt::format("{} (and {} others left out before)", message, left_out);
}

std::string not_ready(std::string_view why) { return fmt::format("not ready: {}\n", why); }

std::string access_log_failed(std::string_view path, std::string_view why) {
  return fmt::format("cannot open the access log {} (--access-log): {}", path, why);
}

std::string access_log_stays(std::string_view path, std::string_view why) {
  return fmt::format("cannot open the access log {} anew: {}", path, why);
}

std::string access_log_lost(std::string_view why) {
  return fmt::format("lines of the access log were lost: {}", why);
}

std::string not_notified(std::string_view state, std::string_view why) {
  return fmt::format("cannot tell the service manager {}: {}", state, why);
}

std::string no_connection_now(std::string_view why) {
  return fmt::format("cannot accept a connection now: {}", why);
}

std::string connection_fault(std::string_view why) {
  return fmt::format("connection ended by a fault: {}", why);
}

std::string event_loop_fault(std::string_view why) { return fmt::format("event loop: {}", why); }

std::string no_io_thread(std::string_view why) {
  return fmt::format("no further I/O thread: {}", why);
}

std::string no_worker_thread(std::string_view why) {
  return fmt::format("no further worker thread: {}", why);
}

std::string no_memory_watch(std::string_view why) {
  return fmt::format("no thread to watch memory: {}", why);
}

std::string no_clock_watch(std::string_view why) {
  return fmt::format("steps of the system's clock are noticed late: {}", why);
}

std::string hung_up(std::size_t clients) {
  if (clients == 1) {
    return "hung up on 1 slow client: the memory for requests under way and for answers that are not taken is full";
  }
  return fmt::format(
      "hung up on {} slow clients: the memory for requests under way and for answers that are not taken is full",
      clients);
}

std::string writes_refused(std::uint64_t megabytes, std::uint64_t limit) {
  return fmt::format(
      "{} MB of the memory limit of {} MB are taken: writes that add data are refused", megabytes,
      limit);
}

std::string writes_taken(std::uint64_t megabytes, std::uint64_t limit) {
  return fmt::format("{} MB of the memory limit of {} MB are taken: writes are taken again",
                     megabytes, limit);
}

}  // namespace magneto::server::messages
