#include <optional>
#include <string>

#include "api/caller_databases.h"
#include "api/error.h"
#include "api/messages/backup_messages.h"
#include "api/operation.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/tables/backup_shapes.h"
#include "api/tables/backups.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, ListBackups. All backups have the type USER; older backups come first.
namespace magneto::api {

extern const Operation kListBackups;
namespace {

constexpr std::int64_t kMaxBackupsOfAPage = 100;

constexpr Shape kListBackupsLimitShape = with_range(kIntegerShape, 1, kMaxBackupsOfAPage);
constexpr std::string_view kBackupTypeValues[] = {"USER", "SYSTEM", "AWS_BACKUP", "ALL"};
constexpr Shape kBackupTypeShape = enum_shape(kBackupTypeValues);
constexpr MemberShape kListBackupsMembers[] = {
    {"TableName", &kTableNameOrArnShape},          {"Limit", &kListBackupsLimitShape},
    {"TimeRangeLowerBound", &kDoubleShape},        {"TimeRangeUpperBound", &kDoubleShape},
    {"ExclusiveStartBackupArn", &kBackupArnShape}, {"BackupType", &kBackupTypeShape},
};
constexpr Shape kListBackupsInput = older_request(kListBackupsMembers);

// Captured from AWS, October 2026. If callers of all regions share tables, pages may end with the
// ARN of any region.
void check_page_start(const Request& request, std::string_view arn) {
  if (storage::backup_id_in(arn).empty()) fail_validation(messages::not_a_backup_arn(arn));
  const std::optional<ArnParts> parts = split_arn(arn);
  if (parts && request.databases.keeps_regions_apart() && parts->region != request.caller.region) {
    fail_validation(messages::kBackupPageElsewhere);
  }
}

storage::BackupFilter read_filter(const Request& request, const Parameters& parameters) {
  storage::BackupFilter filter;
  const std::string_view table = parameters.string_or_empty("TableName");
  filter.table_name = table_name_of(table);
  if (filter.table_name != table) {
    // An existing table has several ARNs.
    const storage::TablePtr found = find_table(request, table);
    filter.table_arn = found == nullptr ? std::string(table) : found->schema.arn();
  }
  if (const json::Value from = parameters.value("TimeRangeLowerBound")) filter.from = from.number();
  if (const json::Value to = parameters.value("TimeRangeUpperBound")) filter.before = to.number();
  if (filter.from && filter.before && *filter.from > *filter.before) {
    fail_validation(messages::kBackupTimesInverted);
  }
  if (const auto start = parameters.string("ExclusiveStartBackupArn")) {
    check_page_start(request, *start);
    filter.exclusive_start = storage::backup_id_in(*start);
  }
  return filter;
}

void list_backups(Request& request) {
  const Parameters parameters(request.input);
  const storage::BackupFilter filter = read_filter(request, parameters);
  const std::string_view type = parameters.string_or_empty("BackupType");
  const bool wants_ours = type != "SYSTEM" && type != "AWS_BACKUP";
  const auto limit =
      static_cast<std::size_t>(parameters.integer("Limit").value_or(kMaxBackupsOfAPage));
  // One more backup than fits shows whether there is another page.
  std::vector<storage::BackupPtr> backups;
  if (wants_ours) backups = request.database.list_backups(filter, limit + 1);
  const bool more = backups.size() > limit;
  if (more) backups.resize(limit);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("BackupSummaries");
  writer.begin_array();
  for (const storage::BackupPtr& backup : backups) write_backup_summary(writer, *backup->schema);
  writer.end_array();
  if (more) writer.text("LastEvaluatedBackupArn", backups.back()->schema->arn());
  writer.end_object();
}

}  // namespace

constinit const Operation kListBackups{
    .name = "ListBackups", .input = kListBackupsInput, .handle = &list_backups, .lists = true};

}  // namespace magneto::api
