#include "api/error.h"
#include "api/json/json_writer.h"
#include "api/messages/replica_messages.h"
#include "api/messages/resource_messages.h"
#include "api/operation_table.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/table_changes.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, UpdateTimeToLive.
namespace magneto::api {
namespace {

using storage::TimeToLiveStatus;

constexpr Shape kAttributeNameShape = with_range(kStringShape, 1, 255);
constexpr MemberShape kSpecificationMembers[] = {
    {"AttributeName", &kAttributeNameShape, Required::kYes},
    {"Enabled", &kBooleanShape, Required::kYes},
};
constexpr Shape kSpecificationShape =
    structure_shape("TimeToLiveSpecification", kSpecificationMembers);
constexpr MemberShape kMembers[] = {
    kControlTableName,
    {"TimeToLiveSpecification", &kSpecificationShape, Required::kYes},
};
constexpr Shape kInput = older_request(kMembers);

// A change is refused until the one before is processed, which takes up to an hour on AWS and the
// control-plane delay here.
void change_time_to_live(storage::TimeToLive& current, std::string_view attribute, bool enabled) {
  switch (current.status) {
    case TimeToLiveStatus::kEnabling:
    case TimeToLiveStatus::kDisabling:
      fail_validation(messages::kTimeToLiveChanging);
    case TimeToLiveStatus::kEnabled:
      if (attribute != current.attribute) {
        fail_validation(messages::time_to_live_elsewhere(current.attribute));
      }
      if (enabled) fail_validation(messages::kTimeToLiveEnabled);
      current.status = TimeToLiveStatus::kDisabling;
      return;
    case TimeToLiveStatus::kDisabled:
      if (!enabled) fail_validation(messages::kTimeToLiveDisabled);
      current.status = TimeToLiveStatus::kEnabling;
      current.attribute = attribute;
      return;
  }
}

void update_time_to_live(Request& request) {
  const Parameters parameters(request.input);
  const std::string_view name = parameters.string_or_empty("TableName");
  const Parameters specification(parameters.value("TimeToLiveSpecification"));
  const std::string_view attribute = specification.string_or_empty("AttributeName");
  const bool enabled = specification.boolean("Enabled");
  const storage::TablePtr table = existing_table(request.database, name);
  const storage::TablePtr changed =
      request.database.update_table(table->schema.name, [&](storage::TableSchema& schema) {
        require_settled(schema, false);
        if (enabled && storage::is_strong(schema)) fail_validation(messages::kStrongTimeToLive);
        change_time_to_live(schema.time_to_live, attribute, enabled);
      });
  if (!changed) fail_table_not_found(table->schema.name);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("TimeToLiveSpecification");
  writer.begin_object();
  writer.key("AttributeName");
  writer.string(attribute);
  writer.key("Enabled");
  writer.boolean(enabled);
  writer.end_object();
  writer.end_object();
}

}  // namespace

constinit const Operation kUpdateTimeToLive{
    .name = "UpdateTimeToLive", .input = kInput, .handle = &update_time_to_live, .writes = true};

}  // namespace magneto::api
