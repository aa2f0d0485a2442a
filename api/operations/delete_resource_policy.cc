#include <utility>

#include "api/json/json_writer.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/resource_policies.h"
#include "api/tables/table_changes.h"
#include "api/tables/table_shapes.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, DeleteResourcePolicy. If there is no policy, the answer is empty.
namespace magneto::api {

extern const Operation kDeleteResourcePolicy;
namespace {

constexpr MemberShape kDeleteResourcePolicyMembers[] = {
    {"ResourceArn", &kResourceArnShape, Required::kYes},
    {"ExpectedRevisionId", &kPolicyRevisionShape},
};
constexpr Shape kDeleteResourcePolicyInput = older_request(kDeleteResourcePolicyMembers);

void delete_resource_policy(Request& request) {
  const Parameters parameters(request.input);
  const std::string_view arn = parameters.string_or_empty("ResourceArn");
  const auto expected = parameters.string("ExpectedRevisionId");
  const PolicyResource resource = find_policy_resource(request, arn);
  const std::string& table = resource.table->schema.name;
  std::optional<storage::ResourcePolicy> removed;
  const storage::TablePtr changed =
      update_pinned(request, *resource.table, [&](storage::TableSchema& schema) {
        require_settled(schema, true);
        auto& policy = policy_of(schema, resource);
        check_revision(policy, expected, table);
        removed = std::exchange(policy, std::nullopt);
      });
  if (!changed) fail_table_not_found(table);
  json::Writer writer(request.output);
  writer.begin_object();
  if (removed) writer.text("RevisionId", removed->revision);
  writer.end_object();
}

}  // namespace

constinit const Operation kDeleteResourcePolicy{.name = "DeleteResourcePolicy",
                                                .input = kDeleteResourcePolicyInput,
                                                .handle = &delete_resource_policy,
                                                .writes = true,
                                                .resource = "ResourceArn"};

}  // namespace magneto::api
