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
  std::shared_ptr<client::ObjectStore> objects;  // nullptr: nothing can be started
  std::string data_directory;  // where jobs of the main namespace are remembered; empty: nowhere
  api::Isolation isolation = api::Isolation::kNone;
  api::FaultLog log;
  std::function<void(std::string_view what)> warn;
};

// Does exports, imports and bulk operations, kAtOnce at a time in threads of their own; others wait for their turn. An
// export reads a copy of its namespace that is made when it is asked for; an import calls a service on
// the namespace's databases, which counts for no throughput, fault rule or journal. Thread-safe.
class JobRunner : public api::BulkJobs {
 public:
  static constexpr std::size_t kAtOnce = 2;
  static constexpr std::size_t kMostUnended = 50;  // AWS: of imports
  static constexpr double kTokenSeconds = 8 * 60 * 60;

  explicit JobRunner(JobRunnerOptions options);
  ~JobRunner() override;
  JobRunner(const JobRunner&) = delete;
  JobRunner& operator=(const JobRunner&) = delete;

  // Once, before the first start; `namespaces` may go after stop().
  // Exports that the last process was sealing are looked at then: they are done, or have failed.
  void attach(api::Namespaces& namespaces);
  // Ends what runs, which fails, as what waits does, and refuses what is started from now on. Waits
  // for it.
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
    std::shared_ptr<api::Namespace> space;  // the copy that is exported, or where items go
    bool was_sealed = false;  // an export of an earlier process, whose end is to be found out
  };

  std::shared_ptr<api::Namespace> space_for(const JobRecord& record);
  void put(Task task);
  void work();
  bool is_ready(const Task& task);
  void run(const Task& task);
  void find_end(const Task& task);
  void fail(const Task& task);  // which has not begun
  double now_of(const JobRecord& record) const;
  void check(const Task& task);
  bool is_over(const Task& task);
  storage::Database& database_of(const Task& task) const;
  std::unique_ptr<client::LocalEndpoint> open_endpoint(const Task& task) const;

  const JobRunnerOptions options_;
  JobLedger ledger_;
  api::Namespaces* namespaces_ = nullptr;
  std::mutex starting_;  // held while a job is begun, so that a token begins one
  std::mutex mutex_;     // guards what follows
  std::condition_variable changed_;
  std::deque<Task> waiting_;
  std::vector<std::thread> threads_;
  bool stopping_ = false;
};

}  // namespace magneto::server::bulk
