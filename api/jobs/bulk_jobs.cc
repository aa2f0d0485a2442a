#include "api/jobs/bulk_jobs.h"

#include "api/error.h"
#include "api/messages/job_messages.h"

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
  if (request.job_place == nullptr) return {.name_space = {}, .life = 0, .database = database};
  return {.name_space = request.job_place->name_space,
          .life = request.job_place->life,
          .database = database};
}

BulkJobs& need_bulk_jobs(const Request& request) {
  BulkJobs* const jobs = request.job_place == nullptr ? nullptr : request.job_place->jobs;
  if (jobs == nullptr || !jobs->has_files()) {
    fail_validation(messages::kNoFilesForJobs);
  }
  return *jobs;
}

std::optional<BulkJob> find_job(const Request& request, JobKind kind, std::string_view arn) {
  if (request.job_place == nullptr || request.job_place->jobs == nullptr) return std::nullopt;
  return request.job_place->jobs->find(job_owner(request), kind, arn);
}

}  // namespace magneto::api
