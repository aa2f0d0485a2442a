#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/json/json_writer.h"
#include "api/request/parameters.h"
#include "api/tables/table_shapes.h"
#include "storage/model/auto_scaling.h"
#include "storage/model/table_schema.h"

// Auto scaling of the replicas of global tables (AWS API reference, AutoScalingSettingsUpdate,
// AutoScalingSettingsDescription). The server stores the settings and returns them; nothing is
// scaled.
namespace magneto::api {

bool is_printable(std::string_view text);
bool is_role_arn(std::string_view text);
inline constexpr Pattern kPolicyNamePattern{"\\p{Print}+", &is_printable};
inline constexpr Pattern kRoleArnPattern{
    "[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF\\r\\n\\t]*", &is_role_arn};
inline constexpr Shape kPolicyNameShape{.kind = Kind::kString,
                                        .min = 1,
                                        .max = 256,
                                        .has_min = true,
                                        .has_max = true,
                                        .pattern = &kPolicyNamePattern};
inline constexpr Shape kRoleArnShape{.kind = Kind::kString,
                                     .min = 1,
                                     .max = 1'600,
                                     .has_min = true,
                                     .has_max = true,
                                     .pattern = &kRoleArnPattern};
inline constexpr std::array<MemberShape, 4> kTargetTrackingMembers{{
    {"DisableScaleIn", &kBooleanShape},
    {"ScaleInCooldown", &kIntegerShape},
    {"ScaleOutCooldown", &kIntegerShape},
    {"TargetValue", &kDoubleShape, Required::kYes},
}};
inline constexpr Shape kTargetTrackingShape = structure_shape(
    "AutoScalingTargetTrackingScalingPolicyConfigurationUpdate", kTargetTrackingMembers);
inline constexpr std::array<MemberShape, 2> kPolicyUpdateMembers{{
    {"PolicyName", &kPolicyNameShape},
    {"TargetTrackingScalingPolicyConfiguration", &kTargetTrackingShape, Required::kYes},
}};
inline constexpr Shape kPolicyUpdateShape =
    structure_shape("AutoScalingPolicyUpdate", kPolicyUpdateMembers);
inline constexpr std::array<MemberShape, 5> kScalingUpdateMembers{{
    {"MinimumUnits", &kThroughputUnitsShape},
    {"MaximumUnits", &kThroughputUnitsShape},
    {"AutoScalingDisabled", &kBooleanShape},
    {"AutoScalingRoleArn", &kRoleArnShape},
    {"ScalingPolicyUpdate", &kPolicyUpdateShape},
}};
inline constexpr Shape kScalingUpdateShape =
    structure_shape("AutoScalingSettingsUpdate", kScalingUpdateMembers);

// The requested settings for the reads or the writes of a table, or of one of its indexes.
struct RequestedScaling {
  std::string index;  // empty: the table
  bool of_reads = false;
  std::optional<std::int64_t> minimum_units;
  std::optional<std::int64_t> maximum_units;
  std::optional<bool> disabled;
  std::string role_arn;
  std::optional<storage::ScalingPolicy> policy;
};

// Adds the settings in a member, unless it is absent. Throws ApiError.
void read_scaling(const Parameters& parameters, std::string_view member, std::string_view index,
                  bool of_reads, std::vector<RequestedScaling>& scalings);

// Both throw ValidationException. Beside AutoScalingDisabled a request may set nothing else.
// Without it the request must set MinimumUnits, MaximumUnits and ScalingPolicyUpdate.
void check_left_blank(std::string_view table, const std::vector<RequestedScaling>& scalings);
void check_whole(std::string_view table, const std::vector<RequestedScaling>& scalings);

// Merges the requests into a table of a global table. Its billing and indexes have changed already.
// The requests name only indexes that the table has. Throws ApiError.
void change_scaling(storage::TableSchema& schema, const std::vector<RequestedScaling>& scalings);

// Like write_scaling(), but shows scaling as disabled if it was never set or has no policy
// (captured from AWS, October 2026).
void write_scaling_in_effect(json::Writer& writer, std::string_view member,
                             const std::optional<storage::AutoScaling>& scaling);
// Writes an AutoScalingSettingsDescription as `member`; nothing if scaling was never set.
void write_scaling(json::Writer& writer, std::string_view member,
                   const std::optional<storage::AutoScaling>& scaling);

}  // namespace magneto::api
