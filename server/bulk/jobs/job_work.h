#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

#include "api/jobs/bulk_jobs.h"
#include "server/client/endpoint/endpoint.h"
#include "server/client/objects/object_store.h"
#include "storage/database.h"

namespace magneto::server::bulk {

// The reason for which a job failed: a code for programs, and a sentence.
class JobFailure : public std::runtime_error {
 public:
  JobFailure(std::string code, const std::string& what)
      : std::runtime_error(what), code_(std::move(code)) {}
  const std::string& code() const { return code_; }

 private:
  std::string code_;
};

// The inputs and functions of one job.
struct JobWork {
  api::BulkJob job;             // its state at the beginning
  storage::Database& database;  // the caller's; for an export, of the namespace's copy
  client::Endpoint* endpoint;   // for an import, else nullptr: writes only to the job's table
  client::ObjectStore& objects;
  // Called regularly; throws JobFailure if the job must end.
  std::function<void()> check;
  std::function<bool()> is_over;  // whether check() throws
  std::function<void(const std::function<void(api::BulkJob& job)>& change)> tell;
  // Stores the result that the job will have once its last object exists (JobLedger::note_sealing).
  std::function<void(const api::BulkJob& job)> note_sealing;
  // for an import; empty: no file, or as a bulk operation's request says
  std::string errors_path;
  std::function<double()> now;  // by the namespace's clock, never before the job's start
  std::function<void(const std::string& what)> warn;
};

// Both functions return the final state of the job. They throw JobFailure, ObjectError,
// TransferFileError and std::runtime_error, each with a sentence.

// Exports the table, which must not change. If the export fails, its objects are removed.
api::BulkJob do_export(const JobWork& work);
// Whether the summary of an export that a process was sealing exists, is complete, and belongs to
// this export. Throws ObjectError and std::runtime_error if this cannot be determined.
bool is_sealed(const api::BulkJob& job, client::ObjectStore& objects,
               const std::function<bool()>& is_over);
// Waits until the table accepts writes, then puts the items of the objects into it. For imports and
// bulk operations.
api::BulkJob do_import(const JobWork& work);

}  // namespace magneto::server::bulk
