#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "api/service.h"
#include "storage/clock.h"
#include "storage/databases.h"
#include "tests/api/case_runner/case_file.h"
#include "tests/api/case_runner/json_match.h"
#include "tests/support/listed_jobs.h"

namespace magneto::api {

// Runs one case file against a separate database, through the service. Where servers share the store
// there are two, and each request goes to the next one.
class CaseRunner {
 public:
  // `options`: where the database is. `conflicts`: in an engine that refuses each first commit, of
  // changes of tables too if it is on disk (tests/support/conflicting_engine.h).
  explicit CaseRunner(storage::DatabaseOptions options, bool conflicts = false);

  // Runs the file in a new database. Returns a text for each failed step: file, line, expected and
  // actual result.
  std::vector<std::string> run(const CaseFile& file);

  // Met so far.
  int conflict_count() const { return conflict_count_; }
  // Whether a step was refused because servers share the store. The file ends there.
  bool is_refused() const { return is_refused_; }

 private:
  struct Server {
    std::unique_ptr<storage::Databases> databases;
    std::unique_ptr<Service> service;
  };

  void reopen();
  Server open();
  void settle();
  // What was written before is in the streams of all servers.
  void wait_for_streams();
  // A text of the file with saved texts and times filled in.
  std::string complete(const std::string& text) const;
  std::string run_step(const CaseStep& step);
  std::string call(const CaseStep& step, std::string request);
  std::string judge_error(const CaseStep& step, int status, const std::string& response);
  std::string judge_json(const CaseStep& step, int status, const std::string& response);

  storage::DatabaseOptions options_;
  const bool conflicts_;
  std::atomic<int> conflict_count_{0};
  bool enforces_throughput_ = false;
  Isolation isolation_ = Isolation::kNone;
  storage::Clock clock_;
  std::int64_t now_ = static_cast<std::int64_t>(clock_.epoch_seconds());  // ${now} of the file
  std::string region_{Caller().region};
  std::string account_{Caller().account};
  std::string access_key_;
  ListedJobs jobs_;
  std::vector<Server> servers_;
  std::size_t next_ = 0;  // of servers_
  bool is_refused_ = false;
  SavedTexts saved_;
  std::string fault_;  // that the service logged during the step
};

}  // namespace magneto::api
