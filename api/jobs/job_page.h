#pragma once

#include <string_view>

#include "api/jobs/bulk_jobs.h"
#include "api/jobs/job_request.h"
#include "api/json/json_writer.h"

namespace magneto::api {

// How a list of jobs is called.
struct JobPage {
  std::string_view limit;  // the parameter
  std::string_view list;   // the member of the answer
  void (*write)(json::Writer& writer, const BulkJob& job);
};

// The answer of an operation that lists the caller's jobs: of TableArn's table where it is given,
// from NextToken on. Throws ValidationException.
void write_job_page(Request& request, JobKind kind, const JobPage& page);

}  // namespace magneto::api
