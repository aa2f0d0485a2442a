#include "api/error.h"
#include "api/messages/request_messages.h"
#include "api/messages/resource_messages.h"
#include "api/operation.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/table_changes.h"
#include "api/tables/table_shapes.h"
#include "api/tables/tag_checks.h"

// AWS API reference, TagResource. The answer has no body.
namespace magneto::api {

extern const Operation kTagResource;
namespace {

// Missing parameters have their own messages, in their own order.
constexpr MemberShape kTagResourceMembers[] = {
    {"ResourceArn", &kResourceArnShape},
    {"Tags", &kTagsShape},
};
constexpr Shape kTagResourceInput = older_request(kTagResourceMembers);

void tag_resource(Request& request) {
  const Parameters parameters(request.input);
  if (!parameters.has("ResourceArn")) fail_validation(messages::kNoArn);
  const json::Value list = parameters.value("Tags");
  if (!list) {
    fail_one_validation_error(messages::null_at("tags"));
  }
  const std::string_view arn = parameters.string_or_empty("ResourceArn");
  const storage::TablePtr table = find_resource(request, kTagResource.name, arn);
  const Tags tags = read_tags(list.array());
  if (tags.empty()) fail_validation(messages::kNoTags);
  if (!table) fail_resource_not_found(arn);
  const storage::TablePtr changed =
      update_pinned(request, *table, [&tags](storage::TableSchema& schema) {
        require_settled(schema, true);
        add_tags(schema.tags, tags);
      });
  if (!changed) fail_resource_not_found(arn);
}

}  // namespace

constinit const Operation kTagResource{.name = "TagResource",
                                       .input = kTagResourceInput,
                                       .handle = &tag_resource,
                                       .writes = true,
                                       .resource = "ResourceArn"};

}  // namespace magneto::api
