#include "api/json/json_writer.h"
#include "api/operation_table.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/table_changes.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, DescribeContributorInsights: never enabled (captured facts,
// "ContributorInsights").
namespace magneto::api {
namespace {

constexpr MemberShape kMembers[] = {kControlTableName, kIndexName};
constexpr Shape kInput = older_request(kMembers);

void describe_contributor_insights(Request& request) {
  const Parameters parameters(request.input);
  const storage::TablePtr table =
      existing_table(request.database, parameters.string_or_empty("TableName"));
  const std::string_view index = parameters.string_or_empty("IndexName");
  if (!index.empty() && table->schema.find_index(index) == nullptr) {
    fail_index_not_found(index, table->schema.name);
  }
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("TableName");
  writer.string(table->schema.name);
  if (!index.empty()) {
    writer.key("IndexName");
    writer.string(index);
  }
  writer.key("ContributorInsightsStatus");
  writer.string("DISABLED");
  writer.end_object();
}

}  // namespace

constinit const Operation kDescribeContributorInsights{.name = "DescribeContributorInsights",
                                                       .input = kInput,
                                                       .handle = &describe_contributor_insights};

}  // namespace magneto::api
