#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/operation.h"
#include "storage/model/table_schema.h"

// Jobs on whole tables that continue after the answer to their request: exports to files and
// imports from files. The operations' handlers check requests and describe jobs. The implementation
// of BulkJobs, which has files and threads, executes them.
namespace magneto::api {

enum class JobKind : std::uint8_t { kExport, kImport, kPut };  // kPut: into an existing table
// The last three occur only for kPut.
enum class JobStatus : std::uint8_t {
  kInProgress,
  kCompleted,
  kFailed,
  kCompletedWithErrors,
  kCancelling,
  kCancelled
};
inline bool has_ended(JobStatus status) {
  return status != JobStatus::kInProgress && status != JobStatus::kCancelling;
}

// The part between a table's ARN and the name of a job: "/export/".
std::string_view arn_part(JobKind kind);

// The state of a job at one moment. Times are in seconds since 1970.
struct BulkJob {
  JobKind kind = JobKind::kExport;
  JobStatus status = JobStatus::kInProgress;
  std::string arn;   // the table's ARN, arn_part(), and the name
  std::string name;  // unique: "01693685827463-2d8752fd"; names ascend with time
  std::string table_name;
  std::string table_arn;
  std::string table_id;
  std::string client_token;  // empty if none was given
  std::string request;       // JSON: the members of the request that a description repeats
  // For an export: read_export_times(). Not persisted, because an interrupted export has failed.
  std::optional<double> export_from;
  std::optional<double> export_to;
  // For an export: the time of the exported state, as reported. 0: a record of an older version,
  // for which the time of the request applies.
  double export_time = 0;
  double start_time = 0;
  double end_time = 0;          // if the job has ended
  std::string failure_code;     // if the job failed or was cancelled
  std::string failure_message;  // a sentence
  std::string manifest;         // of a completed export: the key of its summary
  // The items of an export, or the items that an import has put so far.
  std::int64_t items = 0;
  std::int64_t errors = 0;       // records skipped
  std::int64_t bytes = 0;        // for an export: of the table; for an import: of the files so far
  std::int64_t total_bytes = 0;  // of the files to import; 0: not known yet
};

// Sets the job's table members and its start time, `now`, in seconds since 1970.
void begin_on(BulkJob& job, const storage::TableSchema& table, double now);

// The owner of jobs: one database of a namespace.
struct JobOwner {
  std::string_view name_space;
  std::uint64_t life = 0;  // distinguishes successive namespaces of that name
  std::string_view database;
};

// Thread-safe. Errors are thrown as ApiError.
class BulkJobs {
 public:
  virtual ~BulkJobs() = default;

  // Whether the server has a place for files; if not, no job can be started.
  virtual bool has_files() const = 0;

  // Starts a job, or returns the job that `wanted.client_token` started in the last eight hours.
  // Calls `prepare` before it starts a job, to set the table's members. Sets ARN, name and start
  // time. May wait for the disk and for other starts.
  // Throws ExportConflictException or ImportConflictException
  // (IdempotentParameterMismatchException) if the token came with a different request,
  // LimitExceededException if too many jobs are waiting, and everything that `prepare` throws.
  virtual BulkJob start(const JobOwner& owner, const Caller& caller, BulkJob wanted,
                        const std::function<void(BulkJob& job)>& prepare) = 0;

  virtual std::optional<BulkJob> find(const JobOwner& owner, JobKind kind,
                                      std::string_view arn) const = 0;
  // The newest jobs first: at most `limit` jobs older than the job named `after`; if `after` is
  // empty, from the newest on. An empty `table_arn` means all tables, and an empty `table_id` means
  // all tables with that ARN.
  virtual std::vector<BulkJob> list(const JobOwner& owner, JobKind kind, std::string_view table_arn,
                                    std::string_view after, std::size_t limit,
                                    std::string_view table_id) const = 0;

  // Cancels a job that has not ended; it is kCancelling until it ends. An ended job stays as it is.
  // nullopt if there is no job with that ARN.
  virtual std::optional<BulkJob> cancel(const JobOwner& owner, JobKind kind,
                                        std::string_view arn) = 0;

  // Forgets all jobs of the namespace. Jobs that have not ended will end soon.
  virtual void forget(std::string_view name_space, std::uint64_t life) = 0;
};

// The place where a namespace's jobs run; `jobs` is nullptr if there is none.
struct JobContext {
  BulkJobs* jobs = nullptr;
  std::string name_space{};
  std::uint64_t life = 0;  // as in JobOwner
};

// The owner of the caller's jobs.
JobOwner job_owner(const Request& request);
// Throws ValidationException that names the flag to set if no jobs can be started.
BulkJobs& need_bulk_jobs(const Request& request);
// The export or import for DescribeExport or DescribeImport. Throws ExportNotFoundException or
// ImportNotFoundException if the caller has no job with that ARN. Throws ValidationException if the
// ARN names something else, and AccessDeniedException if it names another account.
BulkJob need_job(const Request& request, JobKind kind, std::string_view arn);
// A job of that caller; nullopt if there is no such job, or no jobs at all.
std::optional<BulkJob> find_job(const Request& request, JobKind kind, std::string_view arn);

}  // namespace magneto::api
