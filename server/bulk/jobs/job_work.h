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

// Why a job failed: a word for programs and a sentence.
class JobFailure : public std::runtime_error {
 public:
  JobFailure(std::string code, const std::string& what)
      : std::runtime_error(what), code_(std::move(code)) {}
  const std::string& code() const { return code_; }

 private:
  std::string code_;
};

// What a job works with.
struct JobWork {
  api::BulkJob job;             // as it began
  storage::Database& database;  // the caller's; of an export, in a copy of the namespace
  client::Endpoint* endpoint;   // of an import, else nullptr: writes into the job's own table alone
  client::ObjectStore& objects;
  // Called every now and then; throws JobFailure when it is to end.
  std::function<void()> check;
  std::function<bool()> is_over;  // whether check() throws
  std::function<void(const std::function<void(api::BulkJob& job)>& change)> tell;
  // Writes down how the job will have ended once its last object is there (JobLedger::note_sealing).
  std::function<void(const api::BulkJob& job)> note_sealing;
  std::string errors_path;      // of an import; empty: nowhere, and where a bulk operation says
  std::function<double()> now;  // of the namespace's clock, not before the job's beginning
  std::function<void(const std::string& what)> warn;
};

// Both return the job as it is at its end; they throw JobFailure, ObjectError, TransferFileError and
// std::runtime_error, each with a sentence.

// Writes the table, which nobody changes. What an export that fails has written goes.
api::BulkJob do_export(const JobWork& work);
// Whether the summary of an export that a process was about to seal is there, whole and its own. Throws
// ObjectError and std::runtime_error where that cannot be seen.
bool is_sealed(const api::BulkJob& job, client::ObjectStore& objects,
               const std::function<bool()>& is_over);
// Puts the items of the objects into the table, once that can be written to: of an import and of a
// bulk operation.
api::BulkJob do_import(const JobWork& work);

}  // namespace magneto::server::bulk
