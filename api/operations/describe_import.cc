#include "api/jobs/job_json.h"
#include "api/jobs/job_request.h"
#include "api/operation.h"
#include "storage/model/effort.h"

// AWS API reference, DescribeImport.
namespace magneto::api {

extern const Operation kDescribeImport;
namespace {

constexpr MemberShape kDescribeImportMembers[] = {{"ImportArn", &kJobArnShape, Required::kYes}};
constexpr Shape kDescribeImportInput = older_request(kDescribeImportMembers);

void describe_import(Request& request) {
  // The job stores a request of up to 1 MB, which takes long to read.
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

constinit const Operation kDescribeImport{.name = "DescribeImport",
                                          .input = kDescribeImportInput,
                                          .handle = &describe_import,
                                          .resource = "ImportArn"};

}  // namespace magneto::api
