#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/table_description_json.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, DescribeTable.
namespace magneto::api {

extern const Operation kDescribeTable;
namespace {

constexpr MemberShape kDescribeTableMembers[] = {kControlTableName};
constexpr Shape kDescribeTableInput = older_request(kDescribeTableMembers);

void describe_table(Request& request) {
  const std::string_view name = Parameters(request.input).string_or_empty("TableName");
  const storage::TablePtr table = described_table(request, name);
  request.database.refresh_statistics(*table);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("Table");
  write_table_description(writer, *table, request.database.clock().epoch_seconds());
  writer.end_object();
}

}  // namespace

constinit const Operation kDescribeTable{
    .name = "DescribeTable", .input = kDescribeTableInput, .handle = &describe_table};

}  // namespace magneto::api
