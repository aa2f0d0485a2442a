#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Auto scaling of global tables.
namespace magneto::api::messages {

// AWS's words, as captured in October 2026. Messages of Application Auto Scaling omit the request
// details that AWS appends.
std::string no_global_table(std::string_view table);
std::string no_scaling(std::string_view table);
std::string no_scaling_of_region(std::string_view table, std::string_view region);
std::string repeated_replicas(std::string_view table, std::string_view region);
// Lists parameters: "Parameters 'MaximumUnits', 'MinimumUnits' ..."
std::string scaling_required(std::string_view table,
                             const std::vector<std::string_view>& parameters);
std::string scaling_left_blank(std::string_view table,
                               const std::vector<std::string_view>& parameters);
// `regions`: such as "US-EAST-1".
std::string scaling_on_demand(std::string_view table, const std::vector<std::string>& regions,
                              std::string_view parameter);
inline constexpr std::string_view kScalingBounds =
    "Maximum capacity cannot be less than minimum capacity";
std::string scaling_target(std::string_view metric, double value);
std::string scaling_target_of_any(double value);

// In Magneto's own words.
inline constexpr std::string_view kScalingUnits =
    "One or more parameter values were invalid: Auto scaling needs both MinimumUnits and MaximumUnits";
inline constexpr std::string_view kScalingIndexName =
    "One or more parameter values were invalid: IndexName must be specified in each update of a global secondary index";
inline constexpr std::string_view kSettingsUnits =
    "One or more parameter values were invalid: A replica that becomes PROVISIONED needs read and write units, and so do its global secondary indexes";
std::string repeated_replica(std::string_view region);
std::string repeated_index(std::string_view index);
std::string index_of_global_table_not_found(std::string_view index, std::string_view table);

}  // namespace magneto::api::messages
