#include <string>
#include <vector>

#include "api/json/json_writer.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/validation/parameter_shapes.h"
#include "storage/database.h"

// AWS API reference, ListTables.
namespace magneto::api {

extern const Operation kListTables;
namespace {

constexpr std::int64_t kMaxTables = 100;  // per answer

constexpr Shape kListTablesLimitShape = with_range(kIntegerShape, 1, kMaxTables);
constexpr MemberShape kListTablesMembers[] = {
    {"Limit", &kListTablesLimitShape},
    {"ExclusiveStartTableName", &kResourceNameShape},
};
constexpr Shape kListTablesInput = older_request(kListTablesMembers);

void list_tables(Request& request) {
  const Parameters parameters(request.input);
  const auto limit = static_cast<std::size_t>(parameters.integer("Limit").value_or(kMaxTables));
  // One more name than fits shows whether there is another page.
  std::vector<std::string> names = request.database.list_tables(
      parameters.string_or_empty("ExclusiveStartTableName"), limit + 1);
  const bool more = names.size() > limit;
  if (more) names.resize(limit);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("TableNames");
  writer.begin_array();
  for (const std::string& name : names) writer.string(name);
  writer.end_array();
  if (more) {
    writer.key("LastEvaluatedTableName");
    writer.string(names.back());
  }
  writer.end_object();
}

}  // namespace

constinit const Operation kListTables{
    .name = "ListTables", .input = kListTablesInput, .handle = &list_tables, .resource = {}};

}  // namespace magneto::api
