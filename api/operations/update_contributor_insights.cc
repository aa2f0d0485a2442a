#include <algorithm>

#include "api/capacity/metering.h"
#include "api/error.h"
#include "api/insights/key_usage.h"
#include "api/json/json_writer.h"
#include "api/messages/resource_messages.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/contributor_insights.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, UpdateContributorInsights; captured facts, "ContributorInsights". Behavior
// beyond those facts is as observed on AWS, October 2026.
namespace magneto::api {

extern const Operation kUpdateContributorInsights;
namespace {

using storage::ContributorInsights;
using storage::ResourceStatus;
using storage::TableSchema;

constexpr std::string_view kActions[] = {"ENABLE", "DISABLE"};
constexpr Shape kActionShape = enum_shape(kActions);
constexpr std::string_view kModes[] = {"THROTTLED_KEYS", "ACCESSED_AND_THROTTLED_KEYS"};
constexpr Shape kModeShape = enum_shape(kModes);
constexpr MemberShape kUpdateContributorInsightsMembers[] = {
    kControlTableName,
    {"IndexName", &kStringShape},
    {"ContributorInsightsAction", &kActionShape, Required::kYes},
    {"ContributorInsightsMode", &kModeShape},
};
constexpr Shape kUpdateContributorInsightsInput = older_request(kUpdateContributorInsightsMembers);

struct Change {
  std::string_view index;
  bool enable;
  bool throttled_keys_only;  // false if no mode is given, even if it was true before
  double now;
};

// The content of the answer.
struct Outcome {
  std::string_view status;
  bool throttled_keys_only;
};

// Refuses an unfinished table or index. Insights may still be disabled while the table is being
// deleted.
void require_active(const TableSchema& schema, const storage::IndexSchema* index, bool enable) {
  const bool is_going = schema.status == ResourceStatus::kDeleting && enable;
  if (schema.status == ResourceStatus::kCreating || is_going) {
    fail_validation(messages::kInsightsOfUnfinishedTable);
  }
  if (index != nullptr && index->status == ResourceStatus::kCreating) {
    fail_validation(messages::kInsightsOfUnfinishedIndex);
  }
}

// A change to the current state does nothing.
Outcome apply(TableSchema& schema, const Change& change) {
  const storage::IndexSchema* const index = find_insights_index(schema, change.index);
  require_active(schema, index, change.enable);
  auto& all = schema.contributor_insights;
  const auto enabled = std::ranges::find(all, change.index, &ContributorInsights::index);
  if (!change.enable) {
    if (enabled == all.end()) return {"DISABLED", change.throttled_keys_only};
    const Outcome outcome{"DISABLING", enabled->throttled_keys_only};
    all.erase(enabled);
    return outcome;
  }
  if (enabled == all.end()) {
    all.push_back({std::string(change.index), change.throttled_keys_only, change.now});
  } else if (enabled->throttled_keys_only == change.throttled_keys_only) {
    return {"ENABLED", change.throttled_keys_only};
  } else {
    enabled->throttled_keys_only = change.throttled_keys_only;
    enabled->updated = change.now;
  }
  return {"ENABLING", change.throttled_keys_only};
}

// Forgets the counts, which belong to the time before the change.
void forget_counts(const Request& request, const storage::Table& table, std::string_view index) {
  KeyUsage* const keys = request.metering.keys();
  if (keys == nullptr) return;
  const storage::Index* const found = table.find_index(index);
  keys->insights().forget(found == nullptr ? *table.statistics : *found->statistics);
}

void update_contributor_insights(Request& request) {
  const Parameters parameters(request.input);
  const Change change{.index = parameters.string_or_empty("IndexName"),
                      .enable = parameters.string_or_empty("ContributorInsightsAction") == "ENABLE",
                      .throttled_keys_only =
                          parameters.string_or_empty("ContributorInsightsMode") == "THROTTLED_KEYS",
                      .now = request.database.clock().epoch_seconds()};
  check_insights_index(parameters);
  const storage::TablePtr table = existing_table(request, parameters.string_or_empty("TableName"));
  Outcome outcome{};
  const storage::TablePtr changed =
      update_pinned(request, *table, [&](TableSchema& schema) { outcome = apply(schema, change); });
  if (!changed) fail_table_not_found(table->schema.name);
  const bool is_settled = outcome.status == "ENABLED" || outcome.status == "DISABLED";
  if (!is_settled) forget_counts(request, *changed, change.index);
  json::Writer writer(request.output);
  writer.begin_object();
  append_insights_names(writer, changed->schema.name, change.index);
  append_insights_state(writer, outcome.status, outcome.throttled_keys_only);
  writer.end_object();
}

}  // namespace

constinit const Operation kUpdateContributorInsights{.name = "UpdateContributorInsights",
                                                     .input = kUpdateContributorInsightsInput,
                                                     .handle = &update_contributor_insights,
                                                     .writes = true};

}  // namespace magneto::api
