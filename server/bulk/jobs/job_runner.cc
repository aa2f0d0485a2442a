#include "server/bulk/jobs/job_runner.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>

#include "api/caller_databases.h"
#include "api/error.h"
#include "api/messages/job_messages.h"
#include "server/bulk/jobs/job_table.h"
#include "server/bulk/jobs/messages.h"
#include "server/formats/byte_source.h"
#include "server/system/stop_messages.h"
#include "server/system/utf8.h"

namespace magneto::server::bulk {
namespace {

// How soon the runner notices that a waiting job can run.
constexpr std::chrono::milliseconds kLookTime{20};
// The limit for the reason of a failure: a sentence with one or two keys, which may be long.
constexpr std::size_t kLongestReason = 4'096;

using api::ApiError;
using api::BulkJob;
using api::ErrorType;
using api::JobKind;
using api::JobOwner;
using api::JobStatus;

double real_seconds() {
  const std::chrono::duration<double> since = std::chrono::system_clock::now().time_since_epoch();
  return since.count();
}

const char* code_of(client::ObjectError::Kind kind) {
  switch (kind) {
    case client::ObjectError::Kind::kNoBucket:
      return "S3NoSuchBucket";
    case client::ObjectError::Kind::kNoKey:
      return "S3NoSuchKey";
    case client::ObjectError::Kind::kDenied:
      return "S3AccessDenied";
    case client::ObjectError::Kind::kObject:
    case client::ObjectError::Kind::kFailed:
      break;
  }
  return kFilesUnusable;
}

struct Failure {
  std::string code;
  std::string what;
};

// Call this in a catch block: describes the current exception.
Failure current_failure() {
  try {
    throw;
  } catch (const JobFailure& error) {
    return {error.code(), error.what()};
  } catch (const client::ObjectError& error) {
    return {code_of(error.kind()), error.what()};
  } catch (const formats::TransferFileError& error) {
    return {kFilesUnusable, error.what()};
  } catch (const std::exception& error) {
    return {kInternalFailure, error.what()};
  }
}

// Clients must not learn the path of the local folder.
void leave_out(const std::string& folder, std::string& what) {
  for (std::size_t at = what.find(folder); at != std::string::npos; at = what.find(folder, at)) {
    what.erase(at, folder.size());
  }
}

[[noreturn]] void fail_conflict(const BulkJob& wanted) {
  switch (wanted.kind) {
    case JobKind::kExport:
      throw ApiError(ErrorType::kExportConflict, api::messages::kExportConflict);
    case JobKind::kImport:
      throw ApiError(ErrorType::kImportConflict, api::messages::kImportConflict);
    case JobKind::kPut:
      break;
  }
  throw ApiError(ErrorType::kIdempotentParameterMismatch,
                 api::messages::other_request_of_token(wanted.client_token));
}

// The status of a job that has ended. `code` is the failure's code; empty if the job is done.
JobStatus end_status(const BulkJob& job, std::string_view code) {
  if (code == kWasCancelled) return JobStatus::kCancelled;
  if (!code.empty()) return JobStatus::kFailed;
  const bool tells_errors = job.kind == JobKind::kPut && job.errors > 0;
  return tells_errors ? JobStatus::kCompletedWithErrors : JobStatus::kCompleted;
}

// Fails a job that had not begun, at a time by its namespace's clock.
void fail_undone(BulkJob& job, double now) {
  job.status = JobStatus::kFailed;
  job.failure_code = kServerEnded;
  job.failure_message = messages::kServerIsEnding;
  job.end_time = now;
}

// Warnings contain keys and messages of servers, so they are made plain.
JobRunnerOptions with_plain_warnings(JobRunnerOptions options) {
  options.warn = [warn = std::move(options.warn)](std::string_view what) {
    warn(system::sanitize_for_log(what, kLongestReason));
  };
  return options;
}

}  // namespace

JobRunner::JobRunner(JobRunnerOptions options)
    : options_(with_plain_warnings(std::move(options))),
      ledger_(options_.notes,
              options_.data_directory.empty() ? "" : options_.data_directory + "/jobs",
              api::Namespaces::kMainName, options_.warn, options_.servers) {
  if (options_.data_directory.empty()) return;
  // Do this with any flags of the last process and of this one.
  std::error_code ignored;
  std::filesystem::remove_all(options_.data_directory + "/" + std::string(client::kStagingFolder),
                              ignored);
}

JobRunner::~JobRunner() { stop(); }

void JobRunner::stop() {
  std::deque<Task> left;
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    left.swap(waiting_);
    threads.swap(threads_);
  }
  changed_.notify_all();
  for (std::thread& thread : threads) thread.join();
  for (const Task& task : left) fail(task);
}

void JobRunner::attach(api::Namespaces& namespaces) {
  namespaces_ = &namespaces;
  for (JobRecord& record : ledger_.sealing()) {
    if (options_.objects == nullptr) {
      ledger_.end(record.job.name, JobLedger::fail_cut_off);
    } else {
      put({.record = std::move(record), .caller = {}, .space = nullptr, .was_sealed = true});
    }
  }
}

BulkJob JobRunner::start(const JobOwner& owner, const api::Caller& caller, BulkJob wanted,
                         const std::function<void(BulkJob& job)>& prepare) {
  const std::lock_guard starting(starting_);
  if (!wanted.client_token.empty()) {
    const auto begun =
        ledger_.find_token(owner, wanted.kind, wanted.client_token, real_seconds() - kTokenSeconds);
    if (begun) {
      // The request of an import includes its table.
      const bool same_table =
          wanted.kind == JobKind::kImport || begun->job.table_name == wanted.table_name;
      if (begun->job.request == wanted.request && same_table) return begun->job;
      fail_conflict(wanted);
    }
  }
  if (ledger_.running() >= kMostUnended) {
    throw ApiError(ErrorType::kLimitExceeded, api::messages::too_many_jobs(kMostUnended));
  }
  prepare(wanted);
  Task task{.record = {.name_space = std::string(owner.name_space),
                       .life = owner.life,
                       .database = std::string(owner.database),
                       .begun = 0,
                       .job = std::move(wanted)},
            .caller = client::KeptCaller(caller),
            .space = nullptr};
  task.space = space_for(task.record);
  ledger_.add(task.record);
  const Task begun = task;
  try {
    put(std::move(task));
  } catch (...) {
    fail(begun);
    throw;
  }
  return begun.record.job;
}

std::shared_ptr<api::Namespace> JobRunner::space_for(const JobRecord& record) {
  try {
    if (record.job.kind == JobKind::kExport) return namespaces_->copy_aside(record.name_space);
    return namespaces_->get(record.name_space);
  } catch (const api::NamespaceError& error) {
    throw ApiError(ErrorType::kLimitExceeded, error.what());
  }
}

void JobRunner::put(Task task) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) throw ApiError(ErrorType::kServiceUnavailable, system::messages::kIsStopping);
    waiting_.push_back(std::move(task));
    try {
      while (threads_.size() < kAtOnce) threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      // One thread is enough; without any, the task cannot be done.
      if (threads_.empty()) {
        waiting_.pop_back();
        throw;
      }
    }
  }
  changed_.notify_one();
}

void JobRunner::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    Task task = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    const bool ready = is_ready(task);
    if (ready) run(task);
    lock.lock();
    if (ready) continue;
    // stop() has taken the waiting tasks.
    if (stopping_) return fail(task);
    waiting_.push_back(std::move(task));
    changed_.wait_for(lock, kLookTime, [this] { return stopping_; });
  }
}

// Whether the task can run, if only to fail. A table that an import waits for may stay CREATING for
// long (--control-plane-delay-ms). Other tasks run in the meantime.
bool JobRunner::is_ready(const Task& task) {
  const BulkJob& job = task.record.job;
  if (task.was_sealed) return true;
  if (job.kind == JobKind::kExport || is_over(task)) return true;
  const storage::TablePtr table = find_job_table(database_of(task), job);
  return table == nullptr || table->schema.status != storage::ResourceStatus::kCreating;
}

storage::Database& JobRunner::database_of(const Task& task) const {
  api::CallerDatabases databases(task.space->databases(), options_.isolation, {});
  return databases.find(task.caller.view());
}

void JobRunner::check(const Task& task) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) throw JobFailure(kServerEnded, std::string(messages::kServerIsEnding));
  }
  if (!ledger_.has(task.record.job.name)) {
    throw JobFailure(kInputUnusable, std::string(messages::kNamespaceIsGone));
  }
  if (task.record.job.kind == JobKind::kExport) return;
  if (ledger_.is_cancelling(task.record.job.name)) {
    throw JobFailure(kWasCancelled, std::string(messages::kCancelled));
  }
  if (namespaces_->find(task.record.name_space) == task.space) return;
  throw JobFailure(kInputUnusable, std::string(messages::kNamespaceIsGone));
}

bool JobRunner::is_over(const Task& task) {
  try {
    check(task);
    return false;
  } catch (const JobFailure&) {
    return true;
  }
}

// The time by the namespace's clock, which may have been set back since the job began, or may be
// gone.
double JobRunner::now_of(const JobRecord& record) const {
  const auto space = namespaces_->find(record.name_space);
  if (space == nullptr) return record.job.start_time;
  return std::max(record.job.start_time, space->clock().epoch_seconds());
}

// A sealed export, whose result must still be found out, stays as it is until the next start.
void JobRunner::fail(const Task& task) {
  if (task.was_sealed) return;
  const double now = now_of(task.record);
  ledger_.end(task.record.job.name, [now](BulkJob& job) { fail_undone(job, now); });
}

void JobRunner::find_end(const Task& task) {
  const BulkJob& job = task.record.job;
  bool is_done = false;
  try {
    is_done = is_sealed(job, *options_.objects, [&] { return is_over(task); });
  } catch (const std::exception& error) {
    if (is_over(task)) return fail(task);
    std::string what = error.what();
    leave_out(options_.objects->local_folder() + "/", what);
    options_.warn(messages::kJobFailed(job.arn, what));
  }
  ledger_.end(job.name, [is_done](BulkJob& ended) {
    ended.status = JobStatus::kCompleted;
    if (!is_done) JobLedger::fail_cut_off(ended);
  });
}

// An endpoint for writes. They are checked like those of clients, but do not count for throughput,
// fault rules or the journal.
std::unique_ptr<client::LocalEndpoint> JobRunner::open_endpoint(const Task& task) const {
  const BulkJob& job = task.record.job;
  auto writer = std::make_shared<client::KeptCaller>(task.caller);
  writer->only_table = job.table_id;
  const auto service = std::make_shared<api::Service>(
      task.space->databases(),
      api::ServiceOptions{
          .log = options_.log, .isolation = options_.isolation, .report_elsewhere = {}});
  return std::make_unique<client::LocalEndpoint>(service, job.arn, std::move(writer));
}

void JobRunner::run(const Task& task) {
  if (task.was_sealed) return find_end(task);
  const BulkJob& begun = task.record.job;
  const std::unique_ptr<client::LocalEndpoint> endpoint =
      begun.kind == JobKind::kExport ? nullptr : open_endpoint(task);
  const JobWork work{
      .job = begun,
      .database = database_of(task),
      .endpoint = endpoint.get(),
      .objects = *options_.objects,
      .check = [&] { check(task); },
      .is_over = [&] { return is_over(task); },
      .tell = [&](const auto& change) { ledger_.note_progress(begun.name, change); },
      .note_sealing = [&](const BulkJob& job) { ledger_.note_sealing(job); },
      .errors_path = begun.kind == JobKind::kImport ? ledger_.errors_path(task.record) : "",
      .now = [&] { return now_of(task.record); },
      .warn = options_.warn};
  std::optional<BulkJob> done;
  Failure failure;
  try {
    done = begun.kind == JobKind::kExport ? do_export(work) : do_import(work);
  } catch (...) {
    failure = current_failure();
    // If check() throws, its message explains the interruption better.
    try {
      check(task);
    } catch (const JobFailure&) {
      failure = current_failure();
    }
    leave_out(options_.objects->local_folder() + "/", failure.what);
    failure.what = system::sanitize_for_log(failure.what, kLongestReason);
    if (failure.code != kWasCancelled) options_.warn(messages::kJobFailed(begun.arn, failure.what));
  }
  // The valid items were put (captured from AWS, October 2026).
  if (done && begun.kind == JobKind::kImport && done->errors > 0) {
    failure = {kItemsInvalid, std::string(messages::kSomeItemsInvalid)};
  }
  const double now = now_of(task.record);
  ledger_.end(begun.name, [&](BulkJob& job) {
    if (done) job = *done;
    job.status = end_status(job, failure.code);
    job.failure_code = failure.code;
    job.failure_message = failure.what;
    job.end_time = now;
  });
}

}  // namespace magneto::server::bulk
