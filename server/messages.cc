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

std::string usage_error(std::string_view command, std::string_view problem) {
  return fmt::format("magneto: {} ({} --help lists the flags)\n", problem, command);
}

std::string of_flag(std::string_view flag, std::string_view variable, std::string_view problem) {
  return fmt::format("{} ({}) {}", flag, variable, problem);
}

std::string of_flag(std::string_view flag, std::string_view problem) {
  return fmt::format("{} {}", flag, problem);
}

std::string not_a_number(std::uint64_t lowest, std::uint64_t highest, std::string_view given) {
  return fmt::format("must be a whole number from {} to {}, not '{}'", lowest, highest, given);
}

std::string not_one_of(std::string_view names, std::string_view given) {
  return fmt::format("must be one of {}, not '{}'", names, given);
}

std::string not_a_list(std::string_view of_what, std::string_view given) {
  return fmt::format("must be * or a list of {}, not '{}'", of_what, given);
}

std::string needs_value(std::string_view flag) { return fmt::format("{} needs a value", flag); }

std::string given_twice(std::string_view flag) {
  return fmt::format("{} is given more than once; it takes one value", flag);
}

std::string not_a_switch(std::string_view flag, std::string_view variable) {
  return fmt::format("{} ({}) is either true or false", flag, variable);
}

std::string not_a_switch(std::string_view flag) {
  return fmt::format("{} is either true or false", flag);
}

std::string not_a_quantity(double lowest, double highest, std::string_view given) {
  return fmt::format("must be a number from {} to {:.0f}, not '{}'", lowest, highest, given);
}

std::string unknown_argument(std::string_view argument, std::string_view nearest) {
  if (nearest.empty()) return fmt::format("unknown argument {}", argument);
  return fmt::format("unknown argument {}; did you mean {}?", argument, nearest);
}

std::string misplaced_command(std::string_view word) {
  return fmt::format("{} is a command, and must come first: magneto {}", word, word);
}

std::string missing_words(std::string_view type) {
  return fmt::format("at least one {} is required", type);
}

std::string unknown_command(std::string_view word, std::string_view nearest,
                            std::string_view names) {
  if (!nearest.empty()) return fmt::format("unknown command {}; did you mean {}?", word, nearest);
  return fmt::format("unknown command {}; there are {}, and without a command magneto serves", word,
                     names);
}

std::string unknown_variable(std::string_view name, std::string_view nearest) {
  if (!nearest.empty()) {
    return fmt::format("unknown environment variable {}; did you mean {}?", name, nearest);
  }
  return fmt::format("unknown environment variable {}; unset it", name);
}

std::string not_a_server_url(std::string_view given) {
  return fmt::format("--url must be a URL such as http://localhost:8000, not '{}'", given);
}

std::string unhealthy(std::string_view url, int status, std::string_view body) {
  return fmt::format("{} answers with status {}: {}", url, status, body);
}

std::string command_line(std::string_view name, std::string_view purpose) {
  return fmt::format("  magneto {:<12} {}\n", name, purpose);
}

std::string commands_overview(std::string_view lines) {
  return fmt::format("Without a command magneto serves. Each command has a --help:\n{}", lines);
}

std::string not_a_parameter(std::string_view given) {
  return fmt::format("must be NAME=VALUE, not '{}'", given);
}

std::string no_folder(std::string_view path) {
  return fmt::format("-dbPath {} is not a folder: make it first", path);
}

std::string no_objects_folder(std::string_view path) {
  return fmt::format("--s3-dir {} is not a folder: make it first", path);
}

std::string no_page_folder(std::string_view path) {
  return fmt::format("--ui-dir {} has no index.html: give server/browser/page of the sources",
                     path);
}

std::string unknown_local_option(std::string_view argument, std::string_view nearest) {
  if (!nearest.empty()) {
    return fmt::format("DynamoDB Local has no option {}; did you mean {}?", argument, nearest);
  }
  return fmt::format("DynamoDB Local has no option {}; -help lists them", argument);
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

std::string too_large_file(std::size_t max_megabytes) {
  return fmt::format("it is larger than {} MB", max_megabytes);
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

std::string line(std::string_view what) { return fmt::format("magneto: {}\n", what); }

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
