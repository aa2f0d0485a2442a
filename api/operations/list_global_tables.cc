#include <cstdint>
#include <string>

#include "api/json/json_writer.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/tables/global_tables.h"
#include "api/validation/parameter_shapes.h"
#include "storage/database.h"
#include "storage/model/global_table.h"

// AWS API reference, ListGlobalTables. Lists global tables of version 2017.11.29.
namespace magneto::api {

extern const Operation kListGlobalTables;
namespace {

constexpr Shape kListGlobalTablesLimitShape = with_min(kIntegerShape, 1);
constexpr MemberShape kListGlobalTablesMembers[] = {
    {"ExclusiveStartGlobalTableName", &kResourceNameShape},
    {"Limit", &kListGlobalTablesLimitShape},
    {"RegionName", &kStringShape},
};
constexpr Shape kListGlobalTablesInput = older_request(kListGlobalTablesMembers);

constexpr std::int64_t kDefaultLimit = 100;
constexpr std::size_t kNamesAtOnce = 1'000;
constexpr std::uint64_t kListGlobalTablesStepsOfATable = 16;

bool is_listed(const storage::Table& table, std::string_view region) {
  if (!is_legacy_global_table(table)) return false;
  return region.empty() || table.schema.region == region ||
         table.schema.global_table->find(region) != nullptr;
}

// Returns the name of the last table written if there may be more; otherwise an empty name.
std::string write_tables(Request& request, json::Writer& writer, std::int64_t limit) {
  const Parameters parameters(request.input);
  const std::string_view region = parameters.string_or_empty("RegionName");
  std::string last(parameters.string_or_empty("ExclusiveStartGlobalTableName"));
  std::int64_t written = 0;
  for (;;) {
    const auto names = request.database.list_tables(last, kNamesAtOnce);
    if (names.empty()) return {};
    request.effort.spend(names.size() * kListGlobalTablesStepsOfATable);
    for (const std::string& name : names) {
      last = name;
      const storage::TablePtr table = request.database.find_table(name);
      if (table == nullptr || !is_listed(*table, region)) continue;
      writer.begin_object();
      writer.text("GlobalTableName", name);
      write_regions(writer, *table);
      writer.end_object();
      if (++written == limit) return last;
    }
  }
}

void list_global_tables(Request& request) {
  const std::int64_t limit = Parameters(request.input).integer("Limit").value_or(kDefaultLimit);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("GlobalTables");
  writer.begin_array();
  const std::string last = write_tables(request, writer, limit);
  writer.end_array();
  if (!last.empty()) writer.text("LastEvaluatedGlobalTableName", last);
  writer.end_object();
}

}  // namespace

constinit const Operation kListGlobalTables{.name = "ListGlobalTables",
                                            .input = kListGlobalTablesInput,
                                            .handle = &list_global_tables,
                                            .resource = {}};

}  // namespace magneto::api
