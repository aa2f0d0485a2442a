#pragma once

#include <optional>
#include <string>

#include "api/jobs/bulk_jobs.h"

namespace magneto::server::bulk {

// A job with whose it is, as it is remembered.
struct JobRecord {
  std::string name_space;
  std::uint64_t life = 0;
  std::string database;
  double begun = 0;  // in real time; the job's own times go by the clock of its namespace
  api::BulkJob job;

  bool is_of(const api::JobOwner& owner) const {
    return name_space == owner.name_space && life == owner.life && database == owner.database;
  }
  bool has_ended() const { return api::has_ended(job.status); }
};

// One line of JSON, and back; nullopt for what is none.
std::string job_record_text(const JobRecord& record);
std::optional<JobRecord> read_job_record(std::string text);

}  // namespace magneto::server::bulk
