#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/tables/scaling_json.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, DescribeTableReplicaAutoScaling. Returns the settings; nothing scales by them.
namespace magneto::api {

extern const Operation kDescribeTableReplicaAutoScaling;
namespace {

constexpr MemberShape kDescribeTableReplicaAutoScalingMembers[] = {kControlTableName};
constexpr Shape kDescribeTableReplicaAutoScalingInput =
    older_request(kDescribeTableReplicaAutoScalingMembers);

void describe_table_replica_auto_scaling(Request& request) {
  const std::string_view name = Parameters(request.input).string_or_empty("TableName");
  write_replica_scaling(request, *scaled_table(request, name));
}

}  // namespace

constinit const Operation kDescribeTableReplicaAutoScaling{
    .name = "DescribeTableReplicaAutoScaling",
    .input = kDescribeTableReplicaAutoScalingInput,
    .handle = &describe_table_replica_auto_scaling};

}  // namespace magneto::api
