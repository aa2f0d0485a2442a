#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The Application Auto Scaling settings of global tables' replicas. They are only stored and
// returned; nothing here scales by them.
namespace magneto::storage {

// AWS API reference: AutoScalingPolicyDescription, with its target tracking.
struct ScalingPolicy {
  std::string name;
  double target_value = 0;  // percent of the units
  std::optional<bool> disable_scale_in;
  std::optional<std::int64_t> scale_in_cooldown;  // seconds
  std::optional<std::int64_t> scale_out_cooldown;
  friend bool operator==(const ScalingPolicy&, const ScalingPolicy&) = default;
};

// AWS API reference: AutoScalingSettingsDescription. Disabled settings have no other member.
struct AutoScaling {
  std::optional<std::int64_t> minimum_units;
  std::optional<std::int64_t> maximum_units;
  bool is_disabled = false;
  std::string role_arn;
  std::optional<ScalingPolicy> policy;
  friend bool operator==(const AutoScaling&, const AutoScaling&) = default;
};

// For the reads and writes of a table or of one of its indexes; absent: never set.
struct CapacityScaling {
  std::string index;  // empty: the table
  std::optional<AutoScaling> reads;
  std::optional<AutoScaling> writes;
  friend bool operator==(const CapacityScaling&, const CapacityScaling&) = default;
};

// nullptr: nothing was set.
inline const CapacityScaling* find_scaling(const std::vector<CapacityScaling>& all,
                                           std::string_view index) {
  for (const CapacityScaling& one : all) {
    if (one.index == index) return &one;
  }
  return nullptr;
}

}  // namespace magneto::storage
