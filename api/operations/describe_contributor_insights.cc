#include <cmath>
#include <string>

#include "api/insights/key_usage.h"
#include "api/json/json_writer.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/contributor_insights.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, DescribeContributorInsights; captured facts, "ContributorInsights".
namespace magneto::api {

extern const Operation kDescribeContributorInsights;
namespace {

constexpr MemberShape kDescribeContributorInsightsMembers[] = {kControlTableName,
                                                               {"IndexName", &kStringShape}};
constexpr Shape kDescribeContributorInsightsInput =
    older_request(kDescribeContributorInsightsMembers);

// DynamoDBContributorInsights-PKC-books-by_year-1791501766746 (AWS developer guide, "CloudWatch
// contributor insights for DynamoDB: How it works").
void append_rules(json::Writer& writer, const storage::TableSchema& schema,
                  const storage::IndexSchema* index, const storage::ContributorInsights& enabled) {
  const bool has_sort = !(index == nullptr ? schema.key : index->key).sort.empty();
  const auto append = [&](const char* kind) {
    std::string name = std::string("DynamoDBContributorInsights-") + kind + "-" + schema.name;
    if (index != nullptr) name += "-" + index->name;
    writer.string(name + "-" + std::to_string(std::llround(enabled.updated * 1000)));
  };
  writer.key("ContributorInsightsRuleList");
  writer.begin_array();
  if (!enabled.throttled_keys_only) {
    append("PKC");
    if (has_sort) append("SKC");
  }
  append("PKT");
  if (has_sort) append("SKT");
  writer.end_array();
}

void describe_contributor_insights(Request& request) {
  const Parameters parameters(request.input);
  check_insights_index(parameters);
  const storage::TablePtr table = existing_table(request, parameters.string_or_empty("TableName"));
  const storage::TableSchema& schema = table->schema;
  const std::string_view name = parameters.string_or_empty("IndexName");
  const storage::IndexSchema* const index = find_insights_index(schema, name);
  const storage::ContributorInsights* const enabled = KeyUsage::find(schema, index);
  const std::string_view status = insights_status(request.database, enabled);
  json::Writer writer(request.output);
  writer.begin_object();
  append_insights_names(writer, schema.name, name);
  if (enabled == nullptr) {
    writer.text("ContributorInsightsStatus", status);
  } else {
    append_rules(writer, schema, index, *enabled);
    append_insights_state(writer, status, enabled->throttled_keys_only);
    writer.key("LastUpdateDateTime");
    writer.time(enabled->updated);
  }
  writer.end_object();
}

}  // namespace

constinit const Operation kDescribeContributorInsights{.name = "DescribeContributorInsights",
                                                       .input = kDescribeContributorInsightsInput,
                                                       .handle = &describe_contributor_insights};

}  // namespace magneto::api
