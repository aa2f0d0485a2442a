#include "server/admin/messages.h"

#include <fmt/format.h>

namespace magneto::server::admin::messages {

std::string no_such_path(std::string_view paths) {
  return fmt::format("there is nothing under this path; there is {}", paths);
}

std::string not_this_method(std::string_view methods) {
  return fmt::format("this path takes {}", methods);
}

std::string too_long_body(std::size_t most) {
  return fmt::format("the body has more than {} bytes", most);
}

std::string unknown_member(std::string_view name, std::string_view known) {
  if (known.empty()) return fmt::format("'{}' is not known here: nothing is", name);
  return fmt::format("'{}' is not known here: there is {}", name, known);
}

std::string repeated_member(std::string_view name) {
  return fmt::format("'{}' is there twice", name);
}

std::string unknown_query(std::string_view known) {
  if (known.empty()) return "this path takes no query";
  return fmt::format("the query may have {}, each once", known);
}

std::string not_a_number(std::string_view name) {
  return fmt::format("'{}' in the query must be a whole number", name);
}

std::string missing_member(std::string_view name) { return fmt::format("'{}' is missing", name); }

std::string wrong_kind(std::string_view name, std::string_view what) {
  return fmt::format("'{}' must be {}", name, what);
}

std::string not_in_range(std::string_view name, std::string_view lowest, std::string_view highest) {
  return fmt::format("'{}' must be from {} to {}", name, lowest, highest);
}

std::string not_a_duration(std::string_view name) {
  return fmt::format("'{}' must be a duration in a string, such as 250ms, 10s, 1h30m, 7d", name);
}

std::string not_a_time(std::string_view name) {
  return fmt::format("'{}' must be a time in a string, such as 2026-11-23T12:00:00.000Z", name);
}

std::string too_many_elements(std::string_view name, std::size_t most) {
  return fmt::format("'{}' has more than {} elements", name, most);
}

std::string not_settled(std::string_view after) {
  return fmt::format("background work is not done after {}: it goes on", after);
}

std::string too_many_ports(std::size_t most) {
  return fmt::format(
      "{} namespaces have ports of their own already, which is the most: delete some", most);
}

std::string port_of_namespace_failed(std::string_view why) {
  return fmt::format("no port for the namespace: {}", why);
}

std::string not_a_token() { return "must be 1 to 256 of the characters A-Z a-z 0-9 - . _ ~ + / ="; }

std::string control_at(std::string_view url, std::string_view token, std::string_view file) {
  if (file.empty()) return fmt::format("control at {}, token {}\n", url, token);
  return fmt::format("control at {}, token {}, also in {}\n", url, token, file);
}

std::string control_at(std::string_view url) {
  return fmt::format("control at {}, with the token of --control-token\n", url);
}

std::string token_file_failed(std::string_view path, std::string_view why) {
  return fmt::format("the token of control is not kept in {}: {}", path, why);
}

}  // namespace magneto::server::admin::messages
