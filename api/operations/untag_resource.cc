#include <algorithm>
#include <string_view>
#include <vector>

#include "api/error.h"
#include "api/messages/request_messages.h"
#include "api/messages/resource_messages.h"
#include "api/operation.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/table_changes.h"
#include "api/tables/tag_checks.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, UntagResource. The answer has no body.
namespace magneto::api {

extern const Operation kUntagResource;
namespace {

// Missing parameters, and keys, have their own messages.
constexpr Shape kTagKeysShape = list_shape(kStringShape);
constexpr MemberShape kUntagResourceMembers[] = {
    {"ResourceArn", &kResourceArnShape},
    {"TagKeys", &kTagKeysShape},
};
constexpr Shape kUntagResourceInput = older_request(kUntagResourceMembers);

void untag_resource(Request& request) {
  const Parameters parameters(request.input);
  if (!parameters.has("ResourceArn")) fail_validation(messages::kNoArn);
  const json::Value list = parameters.value("TagKeys");
  if (!list) {
    fail_one_validation_error(messages::null_at("tagKeys"));
  }
  const std::string_view arn = parameters.string_or_empty("ResourceArn");
  const storage::TablePtr table = find_resource(request, kUntagResource.name, arn);
  const std::vector<std::string_view> keys = read_tag_keys(list.array());
  if (keys.empty()) fail_validation(messages::kNoTagKeys);
  if (!table) fail_resource_not_found(arn);
  const storage::TablePtr changed =
      update_pinned(request, *table, [&keys](storage::TableSchema& schema) {
        require_settled(schema, true);
        std::erase_if(schema.tags, [&keys](const auto& tag) {
          return std::find(keys.begin(), keys.end(), tag.first) != keys.end();
        });
      });
  if (!changed) fail_resource_not_found(arn);
}

}  // namespace

constinit const Operation kUntagResource{.name = "UntagResource",
                                         .input = kUntagResourceInput,
                                         .handle = &untag_resource,
                                         .writes = true,
                                         .resource = "ResourceArn"};

}  // namespace magneto::api
