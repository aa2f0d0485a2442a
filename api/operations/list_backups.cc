#include "api/operation_table.h"
#include "api/tables/empty_list.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, ListBackups: there are none.
namespace magneto::api {
namespace {

constexpr Shape kLimitShape = with_range(kIntegerShape, 1, 100);
constexpr Shape kBackupArnShape = with_range(kStringShape, 37, 1'024);
constexpr std::string_view kBackupTypeValues[] = {"USER", "SYSTEM", "AWS_BACKUP", "ALL"};
constexpr Shape kBackupTypeShape = enum_shape(kBackupTypeValues);
constexpr MemberShape kMembers[] = {
    {"TableName", &kTableNameOrArnShape},          {"Limit", &kLimitShape},
    {"TimeRangeLowerBound", &kDoubleShape},        {"TimeRangeUpperBound", &kDoubleShape},
    {"ExclusiveStartBackupArn", &kBackupArnShape}, {"BackupType", &kBackupTypeShape},
};
constexpr Shape kInput = older_request(kMembers);

void list_backups(Request& request) { answer_with_no("BackupSummaries", request); }

}  // namespace

constinit const Operation kListBackups{
    .name = "ListBackups", .input = kInput, .handle = &list_backups};

}  // namespace magneto::api
