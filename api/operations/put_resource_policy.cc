#include "api/error.h"
#include "api/json/json_writer.h"
#include "api/messages/policy_messages.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/resource_policies.h"
#include "api/tables/table_changes.h"
#include "api/tables/table_shapes.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, PutResourcePolicy. The document is checked before the table or stream (as
// captured from AWS, October 2026). The answer comes once the policy is stored. AWS's pause of 15
// seconds between two changes is not imitated.
namespace magneto::api {

extern const Operation kPutResourcePolicy;
namespace {

constexpr MemberShape kPutResourcePolicyMembers[] = {
    {"ResourceArn", &kResourceArnShape, Required::kYes},
    {"Policy", &kStringShape, Required::kYes},
    {"ExpectedRevisionId", &kPolicyRevisionShape},
    {"ConfirmRemoveSelfResourceAccess", &kBooleanShape},
};
constexpr Shape kPutResourcePolicyInput = older_request(kPutResourcePolicyMembers);

constexpr std::string_view kNoPolicy = "NO_POLICY";

void check_expected(const std::optional<storage::ResourcePolicy>& policy,
                    std::optional<std::string_view> expected, std::string_view table) {
  if (expected != kNoPolicy) {
    check_revision(policy, expected, table);
  } else if (policy) {
    throw ApiError(ErrorType::kPolicyNotFound, messages::policy_exists(table, policy->revision));
  }
}

void put_resource_policy(Request& request) {
  const Parameters parameters(request.input);
  const std::string_view arn = parameters.string_or_empty("ResourceArn");
  const auto expected = parameters.string("ExpectedRevisionId");
  const std::string text =
      canonical_policy(parameters.string_or_empty("Policy"), policy_subject(arn));
  const PolicyResource resource = find_policy_resource(request, arn);
  const double now = request.database.clock().epoch_seconds();
  const std::string& table = resource.table->schema.name;
  std::string revision;
  const storage::TablePtr changed =
      update_pinned(request, *resource.table, [&](storage::TableSchema& schema) {
        require_settled(schema, true);
        auto& policy = policy_of(schema, resource);
        check_expected(policy, expected, table);
        // An identical policy keeps its revision.
        if (!policy || policy->text != text) policy = new_policy(text, now);
        revision = policy->revision;
      });
  if (!changed) fail_table_not_found(table);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.text("RevisionId", revision);
  writer.end_object();
}

}  // namespace

constinit const Operation kPutResourcePolicy{.name = "PutResourcePolicy",
                                             .input = kPutResourcePolicyInput,
                                             .handle = &put_resource_policy,
                                             .writes = true,
                                             .resource = "ResourceArn"};

}  // namespace magneto::api
