#include "api/jobs/job_json.h"
#include "api/jobs/job_page.h"
#include "api/jobs/job_request.h"
#include "api/operation_table.h"

// AWS API reference, ListBulkOperations: the newest first.
namespace magneto::api {
namespace {

// ([0-9a-f]{16})+
bool is_bulk_operation_token(std::string_view text) {
  return !text.empty() && text.size() % 16 == 0 &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}
constexpr Pattern kTokenPattern{"([0-9a-f]{16})+", &is_bulk_operation_token};
constexpr Shape kNextTokenShape{.kind = Kind::kString,
                                .min = 1,
                                .max = 1'024,
                                .has_min = true,
                                .has_max = true,
                                .pattern = &kTokenPattern};
constexpr MemberShape kMembers[] = {
    {"MaxResults", &kJobPageShape},
    {"NextToken", &kNextTokenShape},
};
constexpr Shape kInput = older_request(kMembers);

void list_bulk_operations(Request& request) {
  write_job_page(request, JobKind::kPut,
                 {.limit = "MaxResults",
                  .list = "BulkOperationsSummaryList",
                  .write = &write_bulk_operation_summary});
}

}  // namespace

constinit const Operation kListBulkOperations{
    .name = "ListBulkOperations", .input = kInput, .handle = &list_bulk_operations};

}  // namespace magneto::api
