#include "api/tables/auto_scaling.h"

#include <algorithm>
#include <utility>

#include "api/error.h"
#include "api/messages/scaling_messages.h"
#include "storage/model/global_table.h"

namespace magneto::api {
namespace {

using storage::AutoScaling;
using storage::TableSchema;

// AWS API reference, AutoScalingTargetTrackingScalingPolicyConfigurationUpdate.
constexpr double kLeastTarget = 8.515920e-109;
constexpr double kMostTarget = 1.174271e+108;
constexpr double kLeastPercent = 10;
constexpr double kMostPercent = 90;

storage::ScalingPolicy read_policy(json::Value value) {
  const Parameters members(value);
  const Parameters tracking(members.value("TargetTrackingScalingPolicyConfiguration"));
  storage::ScalingPolicy policy;
  policy.name = members.string_or_empty("PolicyName");
  policy.target_value = tracking.value("TargetValue").number();
  if (tracking.has("DisableScaleIn")) policy.disable_scale_in = tracking.boolean("DisableScaleIn");
  policy.scale_in_cooldown = tracking.integer("ScaleInCooldown");
  policy.scale_out_cooldown = tracking.integer("ScaleOutCooldown");
  return policy;
}

// Checks the limits of all targets, and the limits for DynamoDB's metrics (captured from AWS,
// October 2026).
void check_target(const RequestedScaling& request) {
  const double target = request.policy->target_value;
  if (!(target >= kLeastTarget && target <= kMostTarget)) {
    fail_validation(messages::scaling_target_of_any(target));
  }
  if (target >= kLeastPercent && target <= kMostPercent) return;
  fail_validation(messages::scaling_target(
      request.of_reads ? "DynamoDBReadCapacityUtilization" : "DynamoDBWriteCapacityUtilization",
      target));
}

// The parameter of UpdateGlobalTableSettings that has these settings.
std::string_view parameter_name(const RequestedScaling& request) {
  if (!request.index.empty()) {
    return request.of_reads ? "ReplicaGlobalSecondaryIndexSettingsUpdate"
                            : "GlobalTableGlobalSecondaryIndexSettingsUpdate";
  }
  return request.of_reads ? "ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate"
                          : "GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate";
}

[[noreturn]] void fail_on_demand(const TableSchema& schema, const RequestedScaling& request) {
  std::vector<std::string> regions = {schema.region};
  for (const storage::Replica& replica : schema.global_table->replicas) {
    regions.push_back(replica.region);
  }
  for (std::string& region : regions) {
    std::ranges::transform(region, region.begin(), [](char c) {
      return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
  }
  std::ranges::sort(regions);
  fail_validation(messages::scaling_on_demand(schema.name, regions, parameter_name(request)));
}

// The name that the AWS console chooses.
std::string policy_name(const TableSchema& schema, const RequestedScaling& request) {
  std::string name = request.of_reads ? "DynamoDBReadCapacityUtilization:table/"
                                      : "DynamoDBWriteCapacityUtilization:table/";
  name.append(schema.name);
  if (!request.index.empty()) name.append("/index/").append(request.index);
  return name;
}

std::string service_role(const TableSchema& schema) {
  return "arn:aws:iam::" + schema.account +
         ":role/aws-service-role/dynamodb.application-autoscaling.amazonaws.com/"
         "AWSServiceRoleForApplicationAutoScaling_DynamoDBTable";
}

AutoScaling merged(AutoScaling scaling, const TableSchema& schema,
                   const RequestedScaling& request) {
  if (request.disabled.value_or(false)) {
    scaling = {};
    scaling.is_disabled = true;
    return scaling;
  }
  scaling.is_disabled = false;
  if (request.minimum_units) scaling.minimum_units = request.minimum_units;
  if (request.maximum_units) scaling.maximum_units = request.maximum_units;
  if (!scaling.minimum_units || !scaling.maximum_units) fail_validation(messages::kScalingUnits);
  if (*scaling.minimum_units > *scaling.maximum_units) {
    fail_validation(messages::kScalingBounds);
  }
  if (!request.role_arn.empty()) scaling.role_arn = request.role_arn;
  if (scaling.role_arn.empty()) scaling.role_arn = service_role(schema);
  if (!request.policy) return scaling;
  check_target(request);
  scaling.policy = request.policy;
  if (scaling.policy->name.empty()) scaling.policy->name = policy_name(schema, request);
  return scaling;
}

}  // namespace

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

// Accepts the characters of XML.
bool is_role_arn(std::string_view text) {
  const bool has_control = std::ranges::any_of(
      text, [](unsigned char c) { return c < ' ' && c != '\r' && c != '\n' && c != '\t'; });
  return !has_control && text.find("\xEF\xBF\xBE") == std::string_view::npos &&
         text.find("\xEF\xBF\xBF") == std::string_view::npos;
}

void read_scaling(const Parameters& parameters, std::string_view member, std::string_view index,
                  bool of_reads, std::vector<RequestedScaling>& scalings) {
  const json::Value value = parameters.value(member);
  if (!value) return;
  const Parameters members(value);
  RequestedScaling request;
  request.index = index;
  request.of_reads = of_reads;
  request.minimum_units = members.integer("MinimumUnits");
  request.maximum_units = members.integer("MaximumUnits");
  if (members.has("AutoScalingDisabled")) {
    request.disabled = members.boolean("AutoScalingDisabled");
  }
  request.role_arn = members.string_or_empty("AutoScalingRoleArn");
  if (const json::Value policy = members.value("ScalingPolicyUpdate")) {
    request.policy = read_policy(policy);
  }
  scalings.push_back(std::move(request));
}

void check_left_blank(std::string_view table, const std::vector<RequestedScaling>& scalings) {
  for (const RequestedScaling& request : scalings) {
    if (!request.disabled.value_or(false)) continue;
    std::vector<std::string_view> given;
    if (request.maximum_units) given.push_back("MaximumUnits");
    if (request.policy) given.push_back("ScalingPolicyUpdate");
    if (request.minimum_units) given.push_back("MinimumUnits");
    if (!request.role_arn.empty()) given.push_back("AutoScalingRoleArn");
    if (!given.empty()) fail_validation(messages::scaling_left_blank(table, given));
  }
}

void check_whole(std::string_view table, const std::vector<RequestedScaling>& scalings) {
  for (const RequestedScaling& request : scalings) {
    if (request.disabled.value_or(false)) continue;
    std::vector<std::string_view> missing;
    if (!request.maximum_units) missing.push_back("MaximumUnits");
    if (!request.policy) missing.push_back("ScalingPolicyUpdate");
    if (!request.minimum_units) missing.push_back("MinimumUnits");
    if (!missing.empty()) fail_validation(messages::scaling_required(table, missing));
  }
}

void change_scaling(TableSchema& schema, const std::vector<RequestedScaling>& scalings) {
  if (scalings.empty()) return;
  storage::GlobalTable global = storage::copy_of_global(schema);
  for (const RequestedScaling& request : scalings) {
    const bool disables = request.disabled.value_or(false);
    if (!disables && schema.billing == storage::BillingMode::kPayPerRequest) {
      fail_on_demand(schema, request);
    }
    auto found = std::ranges::find(global.scaling, request.index, &storage::CapacityScaling::index);
    if (found == global.scaling.end()) {
      found = global.scaling.insert(found, {request.index, std::nullopt, std::nullopt});
    }
    std::optional<AutoScaling>& scaling = request.of_reads ? found->reads : found->writes;
    scaling = merged(scaling.value_or(AutoScaling()), schema, request);
  }
  // The scaling of removed indexes is removed with them.
  std::erase_if(global.scaling, [&](const storage::CapacityScaling& one) {
    return !one.index.empty() && schema.find_index(one.index) == nullptr;
  });
  storage::set_global(schema, std::move(global));
}

void write_scaling_in_effect(json::Writer& writer, std::string_view member,
                             const std::optional<AutoScaling>& scaling) {
  if (scaling && !scaling->is_disabled && scaling->policy) {
    write_scaling(writer, member, scaling);
    return;
  }
  writer.key(member);
  writer.begin_object();
  writer.key("AutoScalingDisabled");
  writer.boolean(true);
  writer.key("ScalingPolicies");
  writer.begin_array();
  writer.end_array();
  writer.end_object();
}

void write_scaling(json::Writer& writer, std::string_view member,
                   const std::optional<AutoScaling>& scaling) {
  if (!scaling) return;
  writer.key(member);
  writer.begin_object();
  if (scaling->minimum_units) writer.integer("MinimumUnits", *scaling->minimum_units);
  if (scaling->maximum_units) writer.integer("MaximumUnits", *scaling->maximum_units);
  if (scaling->is_disabled) {
    writer.key("AutoScalingDisabled");
    writer.boolean(true);
  }
  if (!scaling->role_arn.empty()) writer.text("AutoScalingRoleArn", scaling->role_arn);
  if (scaling->policy) {
    const storage::ScalingPolicy& policy = *scaling->policy;
    writer.key("ScalingPolicies");
    writer.begin_array();
    writer.begin_object();
    writer.text("PolicyName", policy.name);
    writer.key("TargetTrackingScalingPolicyConfiguration");
    writer.begin_object();
    if (policy.disable_scale_in) {
      writer.key("DisableScaleIn");
      writer.boolean(*policy.disable_scale_in);
    }
    if (policy.scale_in_cooldown) writer.integer("ScaleInCooldown", *policy.scale_in_cooldown);
    if (policy.scale_out_cooldown) writer.integer("ScaleOutCooldown", *policy.scale_out_cooldown);
    writer.key("TargetValue");
    writer.number(policy.target_value);
    writer.end_object();
    writer.end_object();
    writer.end_array();
  }
  writer.end_object();
}

}  // namespace magneto::api
