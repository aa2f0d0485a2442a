#include "api/jobs/job_json.h"
#include "api/jobs/job_page.h"
#include "api/jobs/job_request.h"
#include "api/operation.h"

// AWS API reference, ListExports. The newest jobs come first.
namespace magneto::api {

extern const Operation kListExports;
namespace {

constexpr MemberShape kListExportsMembers[] = {
    {"TableArn", &kJobTableArnShape},
    {"MaxResults", &kJobPageShape},
    {"NextToken", &kStringShape},
};
constexpr Shape kListExportsInput = older_request(kListExportsMembers);

void list_exports(Request& request) {
  write_job_page(
      request, JobKind::kExport,
      {.limit = "MaxResults", .list = "ExportSummaries", .write = &write_export_summary});
}

}  // namespace

constinit const Operation kListExports{.name = "ListExports",
                                       .input = kListExportsInput,
                                       .handle = &list_exports,
                                       .resource = "TableArn",
                                       .lists = true};

}  // namespace magneto::api
