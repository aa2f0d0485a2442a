#include "api/messages/scaling_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {
namespace {

// "100.0"; powers of ten as in C.
std::string as_java(double value) {
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

}  // namespace

std::string no_global_table(std::string_view table) {
  return fmt::format("Global table with name: '{}' does not exist.", table);
}

std::string no_scaling(std::string_view table) {
  return fmt::format(
      "Failed to update settings for global table with name: ‘{}’ because at least one update parameter must be specified.",
      table);
}

std::string no_scaling_of_region(std::string_view table, std::string_view region) {
  return fmt::format(
      "Failed to update settings for global table with name: ‘{}’ because at least one update parameter must be specified for region: ‘{}’.",
      table, region);
}

std::string repeated_replicas(std::string_view table, std::string_view region) {
  return fmt::format(
      "Failed to update settings for global table with name: ‘{}’ because the regions: ‘[{}]’ were specified more than once.",
      table, region);
}

std::string scaling_required(std::string_view table,
                             const std::vector<std::string_view>& parameters) {
  return fmt::format(
      "Failed to update settings for global table with name: ‘{}’: Parameters '{}' are required unless auto scaling is being disabled.",
      table, fmt::join(parameters, "', '"));
}

std::string scaling_left_blank(std::string_view table,
                               const std::vector<std::string_view>& parameters) {
  return fmt::format(
      "Failed to update settings for global table with name ‘{}’: Parameters '{}' must be left blank when disabling auto scaling.",
      table, fmt::join(parameters, "', '"));
}

std::string scaling_on_demand(std::string_view table, const std::vector<std::string>& regions,
                              std::string_view parameter) {
  return fmt::format(
      "Failed to update global table with name ‘{}‘. Replicas '{}' BillingMode is PayPerRequest. You must convert table's BillingMode to PROVISIONED to set parameters: '{}'.",
      table, fmt::join(regions, "', '"), parameter);
}

std::string scaling_target(std::string_view metric, double value) {
  return fmt::format(
      "For predefined metric type {}, target value must be between '10.0' and '90.0', but was '{}'.",
      metric, as_java(value));
}

std::string scaling_target_of_any(double value) {
  return fmt::format(
      "For target tracking scaling, target value must be between '8.51592E-109' and '1.174271E108', but was '{}'.",
      as_java(value));
}

std::string repeated_replica(std::string_view region) {
  return fmt::format(
      "One or more parameter values were invalid: Only one update can be for the replica in region {}",
      region);
}

std::string repeated_index(std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid: Only one update can be for index {}", index);
}

std::string index_of_global_table_not_found(std::string_view index, std::string_view table) {
  return fmt::format("Global table '{}' has no index {}", table, index);
}

}  // namespace magneto::api::messages
