#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Auto scaling of global tables. No words of AWS are on record: these are Magneto's own.
namespace magneto::api::messages {

inline constexpr std::string_view kScalingUnits =
    "One or more parameter values were invalid: Auto scaling needs both MinimumUnits and MaximumUnits";
inline constexpr std::string_view kScalingDisabled =
    "One or more parameter values were invalid: No other setting can be given beside AutoScalingDisabled";
inline constexpr std::string_view kScalingOnDemand =
    "One or more parameter values were invalid: Auto scaling can not be set for a table whose BillingMode is PAY_PER_REQUEST";
inline constexpr std::string_view kScalingTarget =
    "One or more parameter values were invalid: TargetValue must be between 8.515920e-109 and 1.174271e+108";
inline constexpr std::string_view kScalingCooldown =
    "One or more parameter values were invalid: ScaleInCooldown and ScaleOutCooldown must not be negative";
inline constexpr std::string_view kScalingIndexName =
    "One or more parameter values were invalid: IndexName must be specified in each update of a global secondary index";
inline constexpr std::string_view kSettingsUnits =
    "One or more parameter values were invalid: A replica that becomes PROVISIONED needs read and write units, and so do its global secondary indexes";
std::string scaling_bounds(std::int64_t minimum, std::int64_t maximum);
std::string not_a_global_table(std::string_view table);
std::string repeated_replica(std::string_view region);
std::string repeated_index(std::string_view index);
std::string index_of_global_table_not_found(std::string_view index, std::string_view table);

}  // namespace magneto::api::messages
