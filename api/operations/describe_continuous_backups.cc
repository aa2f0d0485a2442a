#include "api/operation.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/continuous_backups_json.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, DescribeContinuousBackups; captured facts, "On-demand backups and PITR".
namespace magneto::api {

extern const Operation kDescribeContinuousBackups;
namespace {

constexpr MemberShape kDescribeContinuousBackupsMembers[] = {kControlTableName};
constexpr Shape kDescribeContinuousBackupsInput = older_request(kDescribeContinuousBackupsMembers);

void describe_continuous_backups(Request& request) {
  const std::string_view name = Parameters(request.input).string_or_empty("TableName");
  const storage::TablePtr table = find_table(request, name);
  if (!table || is_restoring(table->schema)) fail_backup_table_not_found(table_name_of(name));
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("ContinuousBackupsDescription");
  write_continuous_backups(writer, table->schema.point_in_time_recovery,
                           request.database.recovery_window(*table));
  writer.end_object();
}

}  // namespace

constinit const Operation kDescribeContinuousBackups{.name = "DescribeContinuousBackups",
                                                     .input = kDescribeContinuousBackupsInput,
                                                     .handle = &describe_continuous_backups};

}  // namespace magneto::api
