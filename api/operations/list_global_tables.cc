#include "api/operation_table.h"
#include "api/tables/empty_list.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, ListGlobalTables: there are none.
namespace magneto::api {
namespace {

constexpr Shape kLimitShape = with_min(kIntegerShape, 1);
constexpr MemberShape kMembers[] = {
    {"ExclusiveStartGlobalTableName", &kResourceNameShape},
    {"Limit", &kLimitShape},
    {"RegionName", &kStringShape},
};
constexpr Shape kInput = older_request(kMembers);

void list_global_tables(Request& request) { answer_with_no("GlobalTables", request); }

}  // namespace

constinit const Operation kListGlobalTables{
    .name = "ListGlobalTables", .input = kInput, .handle = &list_global_tables};

}  // namespace magneto::api
