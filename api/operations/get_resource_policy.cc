#include "api/error.h"
#include "api/messages/resource_messages.h"
#include "api/operation_table.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, GetResourcePolicy: no table has a policy (captured facts, "ResourcePolicy";
// captured facts 2, "Descriptions and policies").
namespace magneto::api {
namespace {

constexpr MemberShape kMembers[] = {{"ResourceArn", &kResourceArnShape, Required::kYes}};
constexpr Shape kInput = older_request(kMembers);

void get_resource_policy(Request& request) {
  const std::string_view arn = Parameters(request.input).string_or_empty("ResourceArn");
  if (!find_resource(request.database, request.caller, kGetResourcePolicy.name, arn)) {
    fail_table_not_found(table_name_of(arn));
  }
  throw ApiError(ErrorType::kPolicyNotFound, messages::policy_not_found(arn));
}

}  // namespace

constinit const Operation kGetResourcePolicy{
    .name = "GetResourcePolicy", .input = kInput, .handle = &get_resource_policy};

}  // namespace magneto::api
