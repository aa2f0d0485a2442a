#include "api/error.h"
#include "api/json/json_writer.h"
#include "api/messages/replica_messages.h"
#include "api/messages/resource_messages.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/replica_updates.h"
#include "api/tables/table_changes.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, UpdateTimeToLive. States and the order of errors are as captured from AWS,
// October 2026.
namespace magneto::api {

extern const Operation kUpdateTimeToLive;
namespace {

using storage::TimeToLiveStatus;

constexpr Shape kAttributeNameShape = with_range(kStringShape, 1, 255);
constexpr MemberShape kUpdateTimeToLiveSpecificationMembers[] = {
    {"AttributeName", &kAttributeNameShape, Required::kYes},
    {"Enabled", &kBooleanShape, Required::kYes},
};
constexpr Shape kUpdateTimeToLiveSpecificationShape =
    structure_shape("TimeToLiveSpecification", kUpdateTimeToLiveSpecificationMembers);
constexpr MemberShape kUpdateTimeToLiveMembers[] = {
    kControlTableName,
    {"TimeToLiveSpecification", &kUpdateTimeToLiveSpecificationShape, Required::kYes},
};
constexpr Shape kUpdateTimeToLiveInput = older_request(kUpdateTimeToLiveMembers);

bool is_on(TimeToLiveStatus status) {
  return status == TimeToLiveStatus::kEnabled || status == TimeToLiveStatus::kEnabling;
}

// A change is refused until the previous one has been processed, which takes half an hour on AWS
// and the control-plane delay here. But a request that changes nothing is refused first.
void change_time_to_live(storage::TimeToLive& current, std::string_view attribute, bool enabled) {
  if (is_on(current.status)) {
    if (attribute != current.attribute) {
      fail_validation(messages::time_to_live_elsewhere(current.attribute));
    }
    if (enabled) fail_validation(messages::kTimeToLiveEnabled);
  } else if (!enabled) {
    fail_validation(messages::kTimeToLiveDisabled);
  }
  if (current.status == TimeToLiveStatus::kEnabled) {
    current.status = TimeToLiveStatus::kDisabling;
  } else if (current.status == TimeToLiveStatus::kDisabled) {
    current.status = TimeToLiveStatus::kEnabling;
    current.attribute = attribute;
  } else {
    fail_validation(messages::kTimeToLiveChanging);
  }
}

// The setting is the same for all replicas, so none of them may still be in creation.
void require_all_replicas(const storage::TableSchema& schema) {
  if (schema.global_table == nullptr) return;
  for (const storage::Replica& replica : schema.global_table->replicas) {
    if (replica.status == storage::ReplicaStatus::kCreating) {
      fail_validation(messages::replica_being_added(schema.name, replica.region));
    }
  }
  if (is_changing_replicas(schema)) fail_in_use(messages::table_being_updated(schema.name));
}

void update_time_to_live(Request& request) {
  const Parameters parameters(request.input);
  const std::string_view name = parameters.string_or_empty("TableName");
  const Parameters specification(parameters.value("TimeToLiveSpecification"));
  const std::string_view attribute = specification.string_or_empty("AttributeName");
  const bool enabled = specification.boolean("Enabled");
  const storage::TablePtr table = existing_table(request, name);
  const storage::TablePtr changed =
      update_pinned(request, *table, [&](storage::TableSchema& schema) {
        if (schema.status == storage::ResourceStatus::kCreating) {
          fail_in_use(messages::created_before_time_to_live(schema.name));
        }
        require_all_replicas(schema);
        if (enabled && storage::is_strong(schema)) fail_validation(messages::kStrongTimeToLive);
        change_time_to_live(schema.time_to_live, attribute, enabled);
        require_settled(schema, true);
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

constinit const Operation kUpdateTimeToLive{.name = "UpdateTimeToLive",
                                            .input = kUpdateTimeToLiveInput,
                                            .handle = &update_time_to_live,
                                            .writes = true};

}  // namespace magneto::api
