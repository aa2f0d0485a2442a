#include "api/operation_table.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/tables/empty_list.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, ListExports: there are none.
namespace magneto::api {
namespace {

constexpr Shape kTableArnShape = with_range(kStringShape, 1, 1'024);
constexpr Shape kMaxResultsShape = with_range(kIntegerShape, 1, 25);
constexpr MemberShape kMembers[] = {
    {"TableArn", &kTableArnShape},
    {"MaxResults", &kMaxResultsShape},
    {"NextToken", &kStringShape},
};
constexpr Shape kInput = older_request(kMembers);

void list_exports(Request& request) {
  const Parameters parameters(request.input);
  if (parameters.has("TableArn")) parse_table_arn(parameters.string_or_empty("TableArn"));
  refuse_next_token(parameters, kListExports.name);
  answer_with_no("ExportSummaries", request);
}

}  // namespace

constinit const Operation kListExports{
    .name = "ListExports", .input = kInput, .handle = &list_exports};

}  // namespace magneto::api
