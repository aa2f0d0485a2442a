#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/tables/global_tables.h"
#include "api/tables/scaling_json.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, DescribeGlobalTableSettings: version 2017.11.29.
namespace magneto::api {

extern const Operation kDescribeGlobalTableSettings;
namespace {

constexpr MemberShape kDescribeGlobalTableSettingsMembers[] = {
    {"GlobalTableName", &kResourceNameShape, Required::kYes}};
constexpr Shape kDescribeGlobalTableSettingsInput =
    older_request(kDescribeGlobalTableSettingsMembers);

void describe_global_table_settings(Request& request) {
  const std::string_view name = Parameters(request.input).string_or_empty("GlobalTableName");
  write_global_settings(request, *global_table_with_settings(request, name));
}

}  // namespace

constinit const Operation kDescribeGlobalTableSettings{.name = "DescribeGlobalTableSettings",
                                                       .input = kDescribeGlobalTableSettingsInput,
                                                       .handle = &describe_global_table_settings,
                                                       .resource = "GlobalTableName"};

}  // namespace magneto::api
