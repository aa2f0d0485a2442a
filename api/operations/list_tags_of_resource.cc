#include "api/error.h"
#include "api/json/json_writer.h"
#include "api/messages/resource_messages.h"
#include "api/operation.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/tables/tag_checks.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, ListTagsOfResource. A table has few tags, so there is only one page, and
// NextToken is ignored (as captured from AWS, October 2026).
namespace magneto::api {

extern const Operation kListTagsOfResource;
namespace {

// A missing ARN has its own message.
constexpr MemberShape kListTagsOfResourceMembers[] = {
    {"ResourceArn", &kResourceArnShape},
    {"NextToken", &kStringShape},
};
constexpr Shape kListTagsOfResourceInput = older_request(kListTagsOfResourceMembers);

// A stream has no tags.
Tags tags_of(const Request& request, std::string_view arn) {
  if (request.database.find_stream(arn) != nullptr) return {};
  const storage::TablePtr table = find_resource(request, kListTagsOfResource.name, arn);
  if (!table) fail_resource_not_found(arn);
  return table->schema.tags;
}

void list_tags_of_resource(Request& request) {
  const Parameters parameters(request.input);
  if (!parameters.has("ResourceArn")) fail_validation(messages::kNoArn);
  const std::string_view arn = parameters.string_or_empty("ResourceArn");
  const Tags tags = tags_of(request, arn);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("Tags");
  writer.begin_array();
  for (const auto& [key, value] : tags) {
    writer.begin_object();
    writer.key("Key");
    writer.string(key);
    writer.key("Value");
    writer.string(value);
    writer.end_object();
  }
  writer.end_array();
  writer.end_object();
}

}  // namespace

constinit const Operation kListTagsOfResource{.name = "ListTagsOfResource",
                                              .input = kListTagsOfResourceInput,
                                              .handle = &list_tags_of_resource,
                                              .resource = "ResourceArn"};

}  // namespace magneto::api
