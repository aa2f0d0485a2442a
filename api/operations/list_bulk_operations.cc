#include "api/jobs/job_json.h"
#include "api/jobs/job_page.h"
#include "api/jobs/job_request.h"
#include "api/operation.h"

// AWS API reference, ListBulkOperations. The newest jobs come first.
namespace magneto::api {

extern const Operation kListBulkOperations;
namespace {

// Whether the text matches ([0-9a-f]{16})+.
bool is_bulk_operation_token(std::string_view text) {
  return !text.empty() && text.size() % 16 == 0 &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}
constexpr Pattern kTokenPattern{"([0-9a-f]{16})+", &is_bulk_operation_token};
constexpr Shape kListBulkOperationsNextTokenShape{.kind = Kind::kString,
                                                  .min = 1,
                                                  .max = 1'024,
                                                  .has_min = true,
                                                  .has_max = true,
                                                  .pattern = &kTokenPattern};
constexpr MemberShape kListBulkOperationsMembers[] = {
    {"MaxResults", &kJobPageShape},
    {"NextToken", &kListBulkOperationsNextTokenShape},
};
constexpr Shape kListBulkOperationsInput = older_request(kListBulkOperationsMembers);

void list_bulk_operations(Request& request) {
  write_job_page(request, JobKind::kPut,
                 {.limit = "MaxResults",
                  .list = "BulkOperationsSummaryList",
                  .write = &write_bulk_operation_summary});
}

}  // namespace

constinit const Operation kListBulkOperations{.name = "ListBulkOperations",
                                              .input = kListBulkOperationsInput,
                                              .handle = &list_bulk_operations,
                                              .resource = {}};

}  // namespace magneto::api
