#include "api/jobs/job_json.h"
#include "api/jobs/job_request.h"
#include "api/operation.h"

// AWS API reference, DescribeExport.
namespace magneto::api {

extern const Operation kDescribeExport;
namespace {

constexpr MemberShape kDescribeExportMembers[] = {{"ExportArn", &kJobArnShape, Required::kYes}};
constexpr Shape kDescribeExportInput = older_request(kDescribeExportMembers);

void describe_export(Request& request) {
  const std::string_view arn = Parameters(request.input).string_or_empty("ExportArn");
  const BulkJob job = need_job(request, JobKind::kExport, arn);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("ExportDescription");
  write_export_description(writer, job);
  writer.end_object();
}

}  // namespace

constinit const Operation kDescribeExport{.name = "DescribeExport",
                                          .input = kDescribeExportInput,
                                          .handle = &describe_export,
                                          .resource = "ExportArn"};

}  // namespace magneto::api
