#include "api/error.h"
#include "api/json/json_writer.h"
#include "api/messages/resource_messages.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, DescribeTimeToLive. Answers for tables in creation or deletion are as captured
// from AWS, October 2026.
namespace magneto::api {

extern const Operation kDescribeTimeToLive;
namespace {

using storage::TimeToLiveStatus;

constexpr MemberShape kDescribeTimeToLiveMembers[] = {kControlTableName};
constexpr Shape kDescribeTimeToLiveInput = older_request(kDescribeTimeToLiveMembers);

std::string_view time_to_live_status_name(TimeToLiveStatus status) {
  switch (status) {
    case TimeToLiveStatus::kEnabling:
      return "ENABLING";
    case TimeToLiveStatus::kEnabled:
      return "ENABLED";
    case TimeToLiveStatus::kDisabling:
      return "DISABLING";
    case TimeToLiveStatus::kDisabled:
      break;
  }
  return "DISABLED";
}

void require_describable(storage::ResourceStatus status) {
  if (status == storage::ResourceStatus::kCreating) {
    fail_validation(messages::kTimeToLiveOfNewTable);
  }
  if (status == storage::ResourceStatus::kDeleting) {
    fail_validation(messages::kTimeToLiveOfDyingTable);
  }
}

void describe_time_to_live(Request& request) {
  const std::string_view name = Parameters(request.input).string_or_empty("TableName");
  const storage::TablePtr table = existing_table(request, name);
  require_describable(table->schema.status);
  const storage::TimeToLive& time_to_live = table->schema.time_to_live;
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("TimeToLiveDescription");
  writer.begin_object();
  writer.key("TimeToLiveStatus");
  writer.string(time_to_live_status_name(time_to_live.status));
  if (!time_to_live.attribute.empty()) {
    writer.key("AttributeName");
    writer.string(time_to_live.attribute);
  }
  writer.end_object();
  writer.end_object();
}

}  // namespace

constinit const Operation kDescribeTimeToLive{.name = "DescribeTimeToLive",
                                              .input = kDescribeTimeToLiveInput,
                                              .handle = &describe_time_to_live};

}  // namespace magneto::api
