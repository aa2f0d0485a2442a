#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/tables/global_tables.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, DescribeGlobalTable: version 2017.11.29.
namespace magneto::api {

extern const Operation kDescribeGlobalTable;
namespace {

constexpr MemberShape kDescribeGlobalTableMembers[] = {
    {"GlobalTableName", &kResourceNameShape, Required::kYes}};
constexpr Shape kDescribeGlobalTableInput = older_request(kDescribeGlobalTableMembers);

void describe_global_table(Request& request) {
  const std::string_view name = Parameters(request.input).string_or_empty("GlobalTableName");
  json::Writer writer(request.output);
  writer.begin_object();
  write_global_table(writer, *existing_global_table(request, name));
  writer.end_object();
}

}  // namespace

constinit const Operation kDescribeGlobalTable{.name = "DescribeGlobalTable",
                                               .input = kDescribeGlobalTableInput,
                                               .handle = &describe_global_table,
                                               .resource = "GlobalTableName"};

}  // namespace magneto::api
