#include "api/jobs/bulk_jobs.h"

#include <utility>

#include "api/error.h"
#include "api/messages/job_messages.h"
#include "api/messages/resource_messages.h"
#include "api/request/arn.h"

namespace magneto::api {

std::string_view arn_part(JobKind kind) {
  switch (kind) {
    case JobKind::kExport:
      return "/export/";
    case JobKind::kImport:
      return "/import/";
    case JobKind::kPut:
      break;
  }
  return "/bulk-operation/";
}

void begin_on(BulkJob& job, const storage::TableSchema& table, double now) {
  job.table_name = table.name;
  job.table_arn = table.arn();
  job.table_id = table.id;
  job.start_time = now;
}

JobOwner job_owner(const Request& request) {
  const std::string_view database = request.database.name();
  if (request.job_context == nullptr) return {.name_space = {}, .life = 0, .database = database};
  return {.name_space = request.job_context->name_space,
          .life = request.job_context->life,
          .database = database};
}

BulkJobs& need_bulk_jobs(const Request& request) {
  BulkJobs* const jobs = request.job_context == nullptr ? nullptr : request.job_context->jobs;
  if (jobs == nullptr || !jobs->has_files()) {
    fail_validation(messages::kNoFilesForJobs);
  }
  return *jobs;
}

std::optional<BulkJob> find_job(const Request& request, JobKind kind, std::string_view arn) {
  if (request.job_context == nullptr || request.job_context->jobs == nullptr) return std::nullopt;
  return request.job_context->jobs->find(job_owner(request), kind, arn);
}

namespace {

// AWS's checks of an ARN, which precede the search for the job (captured from AWS, October 2026).
void check_arn(std::string_view arn, JobKind kind, const Caller& caller) {
  const bool is_export = kind == JobKind::kExport;
  const std::optional<ArnParts> parts = split_arn(arn);
  const std::string_view part = arn_part(kind);
  const bool is_one =
      parts && parts->service == "dynamodb" && parts->resource.starts_with("table/") &&
      parts->resource.find(part) != std::string_view::npos && !parts->resource.ends_with(part);
  if (!is_one) fail_validation(is_export ? messages::kNotAnExport : messages::kNotAnImport);
  if (caller.profile != Profile::kAws) return;
  if (parts->account != caller.account) {
    throw ApiError(ErrorType::kAccessDenied, messages::kAccessDenied);
  }
  if (is_export && parts->region != caller.region) {
    throw ApiError(ErrorType::kExportNotFound, messages::kExportElsewhere);
  }
}

}  // namespace

BulkJob need_job(const Request& request, JobKind kind, std::string_view arn) {
  std::optional<BulkJob> job = find_job(request, kind, arn);
  if (job) return *std::move(job);
  check_arn(arn, kind, request.caller);
  if (kind == JobKind::kExport) {
    throw ApiError(ErrorType::kExportNotFound, messages::export_not_found(arn));
  }
  throw ApiError(ErrorType::kImportNotFound, messages::import_not_found(arn));
}

}  // namespace magneto::api
