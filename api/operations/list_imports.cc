#include "api/operation_table.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/tables/empty_list.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, ListImports: there are none.
namespace magneto::api {
namespace {

// ([0-9a-f]{16})+
bool is_import_token(std::string_view text) {
  return !text.empty() && text.size() % 16 == 0 &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}
constexpr Pattern kTokenPattern{"([0-9a-f]{16})+", &is_import_token};
constexpr Shape kTableArnShape = with_range(kStringShape, 1, 1'024);
constexpr Shape kPageSizeShape = with_range(kIntegerShape, 1, 25);
constexpr Shape kNextTokenShape{.kind = Kind::kString,
                                .min = 112,
                                .max = 1'024,
                                .has_min = true,
                                .has_max = true,
                                .pattern = &kTokenPattern};
constexpr MemberShape kMembers[] = {
    {"TableArn", &kTableArnShape},
    {"PageSize", &kPageSizeShape},
    {"NextToken", &kNextTokenShape},
};
constexpr Shape kInput = older_request(kMembers);

void list_imports(Request& request) {
  const Parameters parameters(request.input);
  if (parameters.has("TableArn")) parse_table_arn(parameters.string_or_empty("TableArn"));
  refuse_next_token(parameters, kListImports.name);
  answer_with_no("ImportSummaryList", request);
}

}  // namespace

constinit const Operation kListImports{
    .name = "ListImports", .input = kInput, .handle = &list_imports};

}  // namespace magneto::api
