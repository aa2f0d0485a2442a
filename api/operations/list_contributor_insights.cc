#include "api/operation_table.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/empty_list.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, ListContributorInsights: no table or index has them enabled.
namespace magneto::api {
namespace {

constexpr Shape kMaxResultsShape = with_max(kIntegerShape, 100);
constexpr MemberShape kMembers[] = {
    {"TableName", &kTableNameOrArnShape},
    {"NextToken", &kStringShape},
    {"MaxResults", &kMaxResultsShape},
};
constexpr Shape kInput = older_request(kMembers);

void list_contributor_insights(Request& request) {
  const Parameters parameters(request.input);
  if (parameters.has("TableName")) {
    existing_table(request.database, parameters.string_or_empty("TableName"));
  }
  refuse_next_token(parameters, kListContributorInsights.name);
  answer_with_no("ContributorInsightsSummaries", request);
}

}  // namespace

constinit const Operation kListContributorInsights{
    .name = "ListContributorInsights", .input = kInput, .handle = &list_contributor_insights};

}  // namespace magneto::api
