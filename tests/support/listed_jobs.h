#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/error.h"
#include "api/jobs/bulk_jobs.h"

namespace magneto {

// Stores exports and imports, the last kMost of them, and never runs them. A job with a ClientToken
// has it as its name, so that a test knows its ARN; other jobs are numbered. Thread-safe.
class ListedJobs : public api::BulkJobs {
 public:
  static constexpr std::size_t kMost = 100;

  bool has_files() const override { return true; }

  api::BulkJob start(const api::JobOwner& owner, const api::Caller&, api::BulkJob wanted,
                     const std::function<void(api::BulkJob& job)>& prepare) override {
    const std::lock_guard lock(mutex_);
    for (const Listed& one : jobs_) {
      if (wanted.client_token.empty() || one.job.client_token != wanted.client_token ||
          one.job.kind != wanted.kind || one.database != owner.database) {
        continue;
      }
      if (one.job.request == wanted.request) return one.job;
      throw api::ApiError(conflict_of(wanted.kind), "the token came with another request");
    }
    prepare(wanted);
    const std::string number = std::to_string(++count_);
    wanted.name = wanted.client_token.empty() ? std::string(14 - number.size(), '0') + number
                                              : wanted.client_token;
    wanted.arn = wanted.table_arn + std::string(arn_part(wanted.kind)) + wanted.name;
    if (jobs_.size() == kMost) jobs_.erase(jobs_.begin());
    jobs_.push_back({std::string(owner.database), wanted});
    return wanted;
  }

  std::optional<api::BulkJob> find(const api::JobOwner& owner, api::JobKind kind,
                                   std::string_view arn) const override {
    for (const api::BulkJob& job : list(owner, kind, {}, {}, kMost, {})) {
      if (job.arn == arn) return job;
    }
    return std::nullopt;
  }

  std::vector<api::BulkJob> list(const api::JobOwner& owner, api::JobKind kind,
                                 std::string_view table_arn, std::string_view after,
                                 std::size_t limit, std::string_view table_id) const override {
    const std::lock_guard lock(mutex_);
    std::vector<api::BulkJob> found;
    for (auto one = jobs_.rbegin(); one != jobs_.rend() && found.size() < limit; ++one) {
      const api::BulkJob& job = one->job;
      if (job.kind == kind && one->database == owner.database &&
          (table_arn.empty() || job.table_arn == table_arn) &&
          (table_id.empty() || job.table_id == table_id) && (after.empty() || job.name < after)) {
        found.push_back(job);
      }
    }
    return found;
  }

  std::optional<api::BulkJob> cancel(const api::JobOwner& owner, api::JobKind kind,
                                     std::string_view arn) override {
    const std::lock_guard lock(mutex_);
    for (Listed& one : jobs_) {
      if (one.job.arn != arn || one.job.kind != kind || one.database != owner.database) continue;
      one.job.status = api::JobStatus::kCancelling;
      return one.job;
    }
    return std::nullopt;
  }

  void forget(std::string_view, std::uint64_t) override {
    const std::lock_guard lock(mutex_);
    jobs_.clear();
  }

 private:
  static api::ErrorType conflict_of(api::JobKind kind) {
    if (kind == api::JobKind::kPut) return api::ErrorType::kIdempotentParameterMismatch;
    return kind == api::JobKind::kExport ? api::ErrorType::kExportConflict
                                         : api::ErrorType::kImportConflict;
  }

  struct Listed {
    std::string database;
    api::BulkJob job;
  };

  mutable std::mutex mutex_;  // guards the members below
  std::vector<Listed> jobs_;
  int count_ = 0;
};

}  // namespace magneto
