#include "api/messages/namespace_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string unknown_namespace(std::string_view name) {
  return fmt::format("there is no namespace '{}'", name);
}

std::string unknown_snapshot(std::string_view name) {
  return fmt::format("there is no snapshot '{}'", name);
}

std::string snapshot_taken(std::string_view name) {
  return fmt::format("a snapshot '{}' exists already", name);
}

std::string unusable_snapshot(std::string_view name) {
  return fmt::format(
      "the snapshot '{}' of the data directory cannot be used: its note is damaged, or there are too many; delete its folder",
      name);
}

std::string too_many_open(std::size_t most) {
  return fmt::format(
      "namespaces already begin with {} snapshots of the data directory, which is the maximum: delete some namespaces",
      most);
}

std::string too_many_snapshots(std::size_t most) {
  return fmt::format("there are already {} snapshots, which is the maximum: delete some", most);
}

std::string namespace_taken(std::string_view name) {
  return fmt::format("a namespace '{}' exists already", name);
}

std::string too_many_namespaces(std::size_t most) {
  return fmt::format("there are already {} namespaces, which is the maximum: delete some", most);
}

std::string namespace_failed(std::string_view why) {
  return fmt::format("the system does not allow another namespace: {}", why);
}

std::string unknown_table(std::string_view table, std::string_view name) {
  return fmt::format("there is no table '{}' in namespace '{}'", table, name);
}

}  // namespace magneto::api::messages
