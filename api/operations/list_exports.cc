#include "api/jobs/job_json.h"
#include "api/jobs/job_page.h"
#include "api/jobs/job_request.h"
#include "api/operation_table.h"

// AWS API reference, ListExports: the newest first.
namespace magneto::api {
namespace {

constexpr MemberShape kMembers[] = {
    {"TableArn", &kJobTableArnShape},
    {"MaxResults", &kJobPageShape},
    {"NextToken", &kStringShape},
};
constexpr Shape kInput = older_request(kMembers);

void list_exports(Request& request) {
  write_job_page(
      request, JobKind::kExport,
      {.limit = "MaxResults", .list = "ExportSummaries", .write = &write_export_summary});
}

}  // namespace

constinit const Operation kListExports{
    .name = "ListExports", .input = kInput, .handle = &list_exports};

}  // namespace magneto::api
