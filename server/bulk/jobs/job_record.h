#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/jobs/bulk_jobs.h"

namespace magneto::server::bulk {

// A job with its owner, as it is stored.
struct JobRecord {
  std::string name_space;
  std::uint64_t life = 0;
  std::string database;
  double begun = 0;         // real time; the job's own times use its namespace's clock
  std::int64_t server = 0;  // that runs it, of those that share the store; 0: none share it
  api::BulkJob job;

  bool is_of(const api::JobOwner& owner) const {
    return name_space == owner.name_space && life == owner.life && database == owner.database;
  }
  bool has_ended() const { return api::has_ended(job.status); }
};

// Converts to one line of JSON and back; nullopt for text that is not a record.
std::string job_record_text(const JobRecord& record);
std::optional<JobRecord> read_job_record(std::string text);

}  // namespace magneto::server::bulk
