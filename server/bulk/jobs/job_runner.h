#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "api/jobs/bulk_jobs.h"
#include "api/namespaces/namespaces.h"
#include "server/bulk/jobs/job_ledger.h"
#include "server/bulk/jobs/job_work.h"
#include "server/client/endpoint/local_endpoint.h"
#include "server/client/objects/object_store.h"

namespace magneto::server::bulk {

struct JobRunnerOptions {
  std::shared_ptr<client::ObjectStore> objects;  // nullptr: no job can be started
  std::shared_ptr<storage::Notes> notes;  // stores the main namespace's jobs; nullptr: not stored
  std::string data_directory;             // stores the errors of imports; empty: not stored
  api::Isolation isolation = api::Isolation::kNone;
  JobLedger::Servers servers;  // that share the store
  api::FaultLog log;
  std::function<void(std::string_view what)> warn;
};

// Runs exports, imports and bulk operations on threads of its own, kAtOnce at a time; other jobs
// wait for their turn. An export reads a copy of its namespace, made at the time of the request. An
// import calls a service on the namespace's databases. Its calls do not count for throughput, fault
// rules or the journal. Thread-safe.
class JobRunner : public api::BulkJobs {
 public:
  static constexpr std::size_t kAtOnce = 2;
  static constexpr std::size_t kMostUnended = 50;  // AWS's limit for imports
  static constexpr double kTokenSeconds = 8 * 60 * 60;

  explicit JobRunner(JobRunnerOptions options);
  ~JobRunner() override;
  JobRunner(const JobRunner&) = delete;
  JobRunner& operator=(const JobRunner&) = delete;

  // Call this once, before the first start. `namespaces` may be destroyed after stop(). Checks the
  // exports that the last process was sealing: each is done or has failed.
  void attach(api::Namespaces& namespaces);
  // Ends all running and waiting jobs, which fail, and refuses new ones. Waits until they have
  // ended.
  void stop();

  bool has_files() const override { return options_.objects != nullptr; }
  api::BulkJob start(const api::JobOwner& owner, const api::Caller& caller, api::BulkJob wanted,
                     const std::function<void(api::BulkJob& job)>& prepare) override;
  std::optional<api::BulkJob> find(const api::JobOwner& owner, api::JobKind kind,
                                   std::string_view arn) const override {
    return ledger_.find(owner, kind, arn);
  }
  std::vector<api::BulkJob> list(const api::JobOwner& owner, api::JobKind kind,
                                 std::string_view table_arn, std::string_view after,
                                 std::size_t limit, std::string_view table_id) const override {
    return ledger_.list(owner, kind, table_arn, after, limit, table_id);
  }
  std::optional<api::BulkJob> cancel(const api::JobOwner& owner, api::JobKind kind,
                                     std::string_view arn) override {
    return ledger_.cancel(owner, kind, arn);
  }
  void forget(std::string_view name_space, std::uint64_t life) override {
    ledger_.forget(name_space, life);
  }

 private:
  struct Task {
    JobRecord record;
    client::KeptCaller caller;
    std::shared_ptr<api::Namespace> space;  // the copy to export, or the target of the items
    // an earlier process was sealing this export; its result must be found out
    bool was_sealed = false;
  };

  std::shared_ptr<api::Namespace> space_for(const JobRecord& record);
  void put(Task task);
  void work();
  bool is_ready(const Task& task);
  void run(const Task& task);
  void find_end(const Task& task);
  void fail(const Task& task);  // a task that has not begun
  double now_of(const JobRecord& record) const;
  void check(const Task& task);
  bool is_over(const Task& task);
  storage::Database& database_of(const Task& task) const;
  std::unique_ptr<client::LocalEndpoint> open_endpoint(const Task& task) const;

  const JobRunnerOptions options_;
  JobLedger ledger_;
  api::Namespaces* namespaces_ = nullptr;
  std::mutex starting_;  // held while a job is started, so that a token starts only one
  std::mutex mutex_;     // guards the members below
  std::condition_variable changed_;
  std::deque<Task> waiting_;
  std::vector<std::thread> threads_;
  bool stopping_ = false;
};

}  // namespace magneto::server::bulk
