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

// Work on whole tables that goes on behind the answer that began it: exports to files and imports
// from them. The handlers of the operations check requests and describe jobs; whoever has files and
// threads does them.
namespace magneto::api {

enum class JobKind : std::uint8_t { kExport, kImport, kPut };  // into a table that is there
// The last three are those of kPut alone.
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

// What stands between a table's ARN and the name of a job: "/export/".
std::string_view arn_part(JobKind kind);

// A job as it stood at one moment. Times are in seconds since 1970.
struct BulkJob {
  JobKind kind = JobKind::kExport;
  JobStatus status = JobStatus::kInProgress;
  std::string arn;   // the table's, arn_part(), and the name
  std::string name;  // "01693685827463-2d8752fd", as no other job has; names ascend with time
  std::string table_name;
  std::string table_arn;
  std::string table_id;
  std::string client_token;  // empty: none was given
  std::string request;       // JSON: the members of the request that a description repeats
  // Of an export: read_export_times(). Not written down, since one that was cut off has failed.
  std::optional<double> export_from;
  std::optional<double> export_to;
  // Of an export: of the state that is exported, as it is told. 0: that of an older version's record,
  // which is of the request.
  double export_time = 0;
  double start_time = 0;
  double end_time = 0;          // of one that has ended
  std::string failure_code;     // of one that failed or was cancelled
  std::string failure_message;  // a sentence
  std::string manifest;         // of a completed export: the key of its summary
  // Items of the export; items that have been put so far.
  std::int64_t items = 0;
  std::int64_t errors = 0;       // records that were passed over
  std::int64_t bytes = 0;        // of the table, of the files so far
  std::int64_t total_bytes = 0;  // of the files that are to be put; 0: not known yet
};

// Fills in which table a job is of, and that it begins at `now`, in seconds since 1970.
void begin_on(BulkJob& job, const storage::TableSchema& table, double now);

// Whose jobs: those of one database of a namespace.
struct JobOwner {
  std::string_view name_space;
  std::uint64_t life = 0;  // which of those that had the name
  std::string_view database;
};

// Thread-safe. Errors are thrown as ApiError.
class BulkJobs {
 public:
  virtual ~BulkJobs() = default;

  // Whether there are files at all; otherwise nothing can be started.
  virtual bool has_files() const = 0;

  // Begins a job, for which `prepare` is called first to fill in the table's members, or gives the one
  // that `wanted.client_token` has begun in the last eight hours. Arn, name and start are filled in.
  // May wait for the disk and for other starts. Throws ExportConflictException or
  // ImportConflictException (IdempotentParameterMismatchException) when the token came with another request, LimitExceededException when
  // too many jobs are waiting, and what `prepare` throws.
  virtual BulkJob start(const JobOwner& owner, const Caller& caller, BulkJob wanted,
                        const std::function<void(BulkJob& job)>& prepare) = 0;

  virtual std::optional<BulkJob> find(const JobOwner& owner, JobKind kind,
                                      std::string_view arn) const = 0;
  // The newest first: at most `limit` of those that are older than the one of the name `after`, or all
  // when that is empty. An empty `table_arn` means all tables, an empty `table_id` all of that ARN.
  virtual std::vector<BulkJob> list(const JobOwner& owner, JobKind kind, std::string_view table_arn,
                                    std::string_view after, std::size_t limit,
                                    std::string_view table_id) const = 0;

  // A job that has not ended will: kCancelling until then. One that has stays as it is. nullopt: there
  // is none of that ARN.
  virtual std::optional<BulkJob> cancel(const JobOwner& owner, JobKind kind,
                                        std::string_view arn) = 0;

  // All jobs are forgotten, and those that have not ended will soon.
  virtual void forget(std::string_view name_space, std::uint64_t life) = 0;
};

// Where the jobs of a namespace are done; nullptr: nowhere.
struct JobContext {
  BulkJobs* jobs = nullptr;
  std::string name_space{};
  std::uint64_t life = 0;  // JobOwner
};

// Those of the caller of `request`.
JobOwner job_owner(const Request& request);
// Throws ValidationException that names the flag where nothing can be started.
BulkJobs& need_bulk_jobs(const Request& request);
// The export or import that DescribeExport and DescribeImport ask for. Throws ExportNotFoundException or
// ImportNotFoundException where the caller has none of that ARN, ValidationException and
// AccessDeniedException when that is the ARN of something else or of another account.
BulkJob need_job(const Request& request, JobKind kind, std::string_view arn);
// A job of that caller; nullopt where there is none, or no jobs at all.
std::optional<BulkJob> find_job(const Request& request, JobKind kind, std::string_view arn);

}  // namespace magneto::api
