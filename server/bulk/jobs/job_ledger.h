#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/bulk/jobs/job_record.h"
#include "storage/notes.h"

namespace magneto::server::bulk {

// The stored jobs: all that have not ended, and the newest of the others. The store has a note for
// each job of the main namespace, "jobs/<name>.json". Servers that share a store read each other's
// notes. Each job runs on the server that was asked for it, and fails if that server leaves. Another
// server asks it to cancel a job by a note "cancelled-jobs/<name>". Thread-safe.
class JobLedger {
 public:
  // This server, and those that share its store.
  struct Servers {
    std::int64_t own = 0;  // 0: there are no others
    std::function<bool(std::int64_t server)> has_left = {};
  };
  static constexpr std::size_t kMostEnded = 1'000;
  static constexpr std::size_t kMostEndedBytes = 64 << 20;  // of their requests

  using Warn = std::function<void(std::string_view what)>;

  // Returns the record in the note of that name; nullopt if the note is damaged.
  static std::optional<JobRecord> read_note(std::string_view name, std::string text);

  // With nullptr for `notes`, jobs end with the process. errors_path() creates `folder`; empty if
  // there is none. Jobs that were running when the process ended have failed, except exports that
  // were being sealed: sealing(). A damaged note is left alone, with a warning. Throws
  // storage::EngineError.
  JobLedger(std::shared_ptr<storage::Notes> notes, std::string folder,
            std::string_view main_name_space, Warn warn, Servers servers);

  // Sets the job's name and ARN, and stores the job on the disk. Throws std::runtime_error with a
  // sentence.
  void add(JobRecord& record);
  // Changes the counts of a running job.
  void note_progress(std::string_view name, const std::function<void(api::BulkJob& job)>& change);
  // Call this before the last object of an export is put, which completes it. Stores the state that
  // the job has if that object exists, on the disk. Throws std::runtime_error with a sentence.
  void note_sealing(const api::BulkJob& job) const;
  // Returns the jobs that an earlier process was sealing when it ended. They run until end() is
  // called.
  std::vector<JobRecord> sealing() const;
  // Sets the state of a job that the end of a process interrupted.
  static void fail_cut_off(api::BulkJob& job);
  // The same at the job's end, which is also written to its file. If that fails, a warning says so,
  // but the process knows the end.
  void end(std::string_view name, const std::function<void(api::BulkJob& job)>& change);

  // Marks a job that has not ended as kCancelling.
  std::optional<api::BulkJob> cancel(const api::JobOwner& owner, api::JobKind kind,
                                     std::string_view arn);
  bool is_cancelling(std::string_view name);
  // Whether the job is still stored; it may have been forgotten while it ran.
  bool has(std::string_view name) const;

  std::size_t running() const;  // or waiting, on all servers
  std::optional<JobRecord> find_token(const api::JobOwner& owner, api::JobKind kind,
                                      std::string_view token, double begun_after) const;
  std::optional<api::BulkJob> find(const api::JobOwner& owner, api::JobKind kind,
                                   std::string_view arn) const;
  std::vector<api::BulkJob> list(const api::JobOwner& owner, api::JobKind kind,
                                 std::string_view table_arn, std::string_view after,
                                 std::size_t limit, std::string_view table_id = {}) const;
  // Forgets all jobs of the namespace, running ones too.
  void forget(std::string_view name_space, std::uint64_t life);

  // The path of a job's error file, "<folder>/<name>.errors"; empty without a folder.
  std::string errors_path(const JobRecord& record) const;

 private:
  using Records = std::map<std::string, JobRecord, std::less<>>;

  void load();
  bool is_shared() const { return servers_.own != 0; }
  bool is_of_other_server(const JobRecord& record) const {
    return is_shared() && record.server != servers_.own;
  }
  bool is_cut_off(const JobRecord& record) const;
  // Reads what other servers have stored. Throws storage::EngineError.
  void follow_others() const;
  std::vector<std::string> find_changed() const;
  void take_over(const std::string& note) const;
  void forget_wish(std::string_view name) const;
  // Once a second: tells other servers the progress of this server's jobs, and follows their wishes.
  void exchange_with_others();
  bool is_kept(const JobRecord& record) const;
  std::string write(
      const JobRecord& record) const;  // returns the cause of a failure; empty on success
  void remove_record(const JobRecord& record) const;  // also its error file
  // These require mutex_.
  void forget_oldest();
  Records::iterator erase(Records::iterator at);

  const std::shared_ptr<storage::Notes> notes_;
  const std::string folder_;
  const std::string main_;
  const Warn warn_;
  const Servers servers_;
  mutable std::mutex mutex_;  // guards the members below
  mutable Records records_;   // by their names, which ascend with time
  std::chrono::steady_clock::time_point next_exchange_{};
  std::vector<std::string> sealing_;
  std::int64_t last_milliseconds_ = 0;
};

}  // namespace magneto::server::bulk
