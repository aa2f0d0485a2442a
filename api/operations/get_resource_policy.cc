#include "api/error.h"
#include "api/json/json_writer.h"
#include "api/messages/policy_messages.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/tables/resource_policies.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, GetResourcePolicy; captured facts, "ResourcePolicy"; captured facts 2,
// "Descriptions and policies". The answer includes every change that has been answered.
namespace magneto::api {

extern const Operation kGetResourcePolicy;
namespace {

constexpr MemberShape kGetResourcePolicyMembers[] = {
    {"ResourceArn", &kResourceArnShape, Required::kYes}};
constexpr Shape kGetResourcePolicyInput = older_request(kGetResourcePolicyMembers);

void get_resource_policy(Request& request) {
  const std::string_view arn = Parameters(request.input).string_or_empty("ResourceArn");
  const PolicyResource resource = find_policy_resource(request, arn);
  const storage::TableSchema& schema = resource.table->schema;
  const auto& policy = policy_of(schema, resource);
  if (!policy) throw ApiError(ErrorType::kPolicyNotFound, messages::policy_not_found(arn));
  json::Writer writer(request.output);
  writer.begin_object();
  write_policy(writer, *policy);
  writer.end_object();
}

}  // namespace

constinit const Operation kGetResourcePolicy{.name = "GetResourcePolicy",
                                             .input = kGetResourcePolicyInput,
                                             .handle = &get_resource_policy,
                                             .resource = "ResourceArn"};

}  // namespace magneto::api
