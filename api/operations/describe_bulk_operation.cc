#include "api/error.h"
#include "api/jobs/job_json.h"
#include "api/jobs/job_request.h"
#include "api/messages/job_messages.h"
#include "api/operation.h"

// AWS API reference, DescribeBulkOperation.
namespace magneto::api {

extern const Operation kDescribeBulkOperation;
namespace {

constexpr MemberShape kDescribeBulkOperationMembers[] = {
    {"BulkOperationArn", &kJobArnShape, Required::kYes}};
constexpr Shape kDescribeBulkOperationInput = older_request(kDescribeBulkOperationMembers);

void describe_bulk_operation(Request& request) {
  const std::string_view arn = Parameters(request.input).string_or_empty("BulkOperationArn");
  const std::optional<BulkJob> job = find_job(request, JobKind::kPut, arn);
  if (!job) throw ApiError(ErrorType::kResourceNotFound, messages::bulk_operation_not_found(arn));
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("BulkOperationDescription");
  write_bulk_operation_description(writer, *job);
  writer.end_object();
}

}  // namespace

constinit const Operation kDescribeBulkOperation{.name = "DescribeBulkOperation",
                                                 .input = kDescribeBulkOperationInput,
                                                 .handle = &describe_bulk_operation,
                                                 .resource = "BulkOperationArn"};

}  // namespace magneto::api
