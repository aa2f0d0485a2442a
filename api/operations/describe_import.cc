#include "api/jobs/job_json.h"
#include "api/jobs/job_request.h"
#include "api/operation_table.h"

// AWS API reference, DescribeImport.
namespace magneto::api {
namespace {

constexpr MemberShape kMembers[] = {{"ImportArn", &kJobArnShape, Required::kYes}};
constexpr Shape kInput = older_request(kMembers);

void describe_import(Request& request) {
  // It keeps a request of up to 1 MB, which takes long to read.
  request.effort.leave();
  const std::string_view arn = Parameters(request.input).string_or_empty("ImportArn");
  const BulkJob job = need_job(request, JobKind::kImport, arn);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("ImportTableDescription");
  write_import_description(writer, job);
  writer.end_object();
}

}  // namespace

constinit const Operation kDescribeImport{
    .name = "DescribeImport", .input = kInput, .handle = &describe_import};

}  // namespace magneto::api
