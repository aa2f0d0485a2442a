#include "api/error.h"
#include "api/jobs/job_json.h"
#include "api/jobs/job_request.h"
#include "api/messages/job_messages.h"
#include "api/operation.h"

// AWS API reference, CancelBulkOperation.
namespace magneto::api {

extern const Operation kCancelBulkOperation;
namespace {

constexpr MemberShape kCancelBulkOperationMembers[] = {
    {"BulkOperationArn", &kJobArnShape, Required::kYes}};
constexpr Shape kCancelBulkOperationInput = older_request(kCancelBulkOperationMembers);

void cancel_bulk_operation(Request& request) {
  const std::string_view arn = Parameters(request.input).string_or_empty("BulkOperationArn");
  std::optional<BulkJob> job;
  if (request.job_context != nullptr && request.job_context->jobs != nullptr) {
    job = request.job_context->jobs->cancel(job_owner(request), JobKind::kPut, arn);
  }
  if (!job) throw ApiError(ErrorType::kResourceNotFound, messages::bulk_operation_not_found(arn));
  json::Writer writer(request.output);
  writer.begin_object();
  writer.text("BulkOperationArn", job->arn);
  writer.text("BulkOperationStatus", status_name(job->status));
  writer.end_object();
}

}  // namespace

constinit const Operation kCancelBulkOperation{.name = "CancelBulkOperation",
                                               .input = kCancelBulkOperationInput,
                                               .handle = &cancel_bulk_operation,
                                               .writes = true,
                                               .resource = "BulkOperationArn"};

}  // namespace magneto::api
