#include "api/messages/replica_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {
namespace {

constexpr std::string_view kInvalid = "One or more parameter values were invalid: ";

}  // namespace

std::string not_a_region(std::string_view region) {
  return fmt::format("{}'{}' is not the name of a region", kInvalid, region);
}

std::string repeated_region(std::string_view region) {
  return fmt::format("{}Only one action in ReplicaUpdates can be for region {}", kInvalid, region);
}

std::string replica_exists_as_table(std::string_view table) {
  return fmt::format(
      "Failed to create a the new replica of table with name: ‘{}’ because one or more replicas already existed as tables.",
      table);
}

std::string replicas_unknown(const std::vector<std::string_view>& regions) {
  return fmt::format(
      "Update global table operation failed because one or more replicas were not part of the global table. Please retry the request without these replicas: [{}].",
      fmt::join(regions, ", "));
}

std::string replica_protected(std::string_view table, std::string_view region) {
  return fmt::format(
      "Cannot delete table {} in region {} because it has deletion protection enabled. Disable deletion protection first.",
      table, region);
}

std::string strong_regions(const std::vector<std::string_view>& regions) {
  return fmt::format(
      "Unsupported Region(s) specified for global tables with MultiRegionConsistency set to STRONG: [{}].",
      fmt::join(regions, ", "));
}

std::string witness_unknown(std::string_view region) {
  return fmt::format(
      "Update global table operation failed because one or more witnesses were not part of the global table. Please retry the request without these witnesses: [{}].",
      region);
}

std::string replica_unknown(std::string_view region, std::string_view table) {
  return fmt::format("{}Table {} has no replica in region {}", kInvalid, table, region);
}

std::string too_many_replicas(std::size_t limit) {
  return fmt::format("A global table has at most {} replicas", limit);
}

std::string own_region_missing(std::string_view region) {
  return fmt::format("{}ReplicationGroup must have the region that is asked, {}", kInvalid, region);
}

std::string tables_differ(std::string_view region, std::string_view other) {
  return fmt::format("{}The tables in regions {} and {} must have the same keys and indexes",
                     kInvalid, region, other);
}

std::string table_not_empty(std::string_view region) {
  return fmt::format("{}The table in region {} must be empty", kInvalid, region);
}

std::string global_table_not_found(std::string_view name) {
  return fmt::format("Global table not found: Global table with name: '{}' does not exist.", name);
}

std::string global_table_exists(std::string_view name) {
  return fmt::format("Global table with name: '{}' already exists.", name);
}

std::string replica_already_exists(std::string_view region, std::string_view name) {
  return fmt::format("Global table '{}' has a replica in region {} already", name, region);
}

std::string replica_not_found(std::string_view region, std::string_view name) {
  return fmt::format("Global table '{}' has no replica in region {}", name, region);
}

}  // namespace magneto::api::messages
