#include <algorithm>
#include <string_view>
#include <vector>

#include "api/error.h"
#include "api/messages/request_messages.h"
#include "api/messages/resource_messages.h"
#include "api/operation_table.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/tables/table_changes.h"
#include "api/tables/tag_checks.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, UntagResource. The answer has no body.
namespace magneto::api {
namespace {

constexpr Shape kTagKeyShape = with_range(kStringShape, 1, kMaxTagKeyLength);
constexpr Shape kTagKeysShape = list_shape(kTagKeyShape);
// What is missing has messages of its own order.
constexpr MemberShape kMembers[] = {
    {"ResourceArn", &kResourceArnShape},
    {"TagKeys", &kTagKeysShape},
};
constexpr Shape kInput = older_request(kMembers);

std::vector<std::string_view> read_keys(json::Array list) {
  std::vector<std::string_view> keys;
  for (const json::Value key : list) {
    if (!key.is_null()) keys.push_back(key.string());
  }
  return keys;
}

void untag_resource(Request& request) {
  const Parameters parameters(request.input);
  if (!parameters.has("ResourceArn")) fail_validation(messages::kNoArn);
  const json::Value list = parameters.value("TagKeys");
  if (!list) {
    fail_one_validation_error(messages::null_at("tagKeys"));
  }
  const storage::TablePtr table =
      find_resource(request.database, request.caller, kUntagResource.name,
                    parameters.string_or_empty("ResourceArn"));
  const std::vector<std::string_view> keys = read_keys(list.array());
  if (keys.empty()) fail_validation(messages::kNoTagKeys);
  const auto changed =
      !table ? nullptr
             : request.database.update_table(
                   table->schema.name, [&keys](storage::TableSchema& schema) {
                     require_settled(schema, true);
                     std::erase_if(schema.tags, [&keys](const auto& tag) {
                       return std::find(keys.begin(), keys.end(), tag.first) != keys.end();
                     });
                   });
  if (!changed) throw ApiError(ErrorType::kResourceNotFound, messages::kNotFound);
}

}  // namespace

constinit const Operation kUntagResource{
    .name = "UntagResource", .input = kInput, .handle = &untag_resource, .writes = true};

}  // namespace magneto::api
