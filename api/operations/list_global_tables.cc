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

void handle(Request& request) { answer_with_no("GlobalTables", request); }

}  // namespace

constinit const Operation kListGlobalTables{"ListGlobalTables", kInput, &handle};

}  // namespace magneto::api
