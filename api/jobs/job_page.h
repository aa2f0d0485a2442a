#pragma once

#include <string_view>

#include "api/jobs/bulk_jobs.h"
#include "api/jobs/job_request.h"
#include "api/json/json_writer.h"

namespace magneto::api {

// The names in a request and answer that list jobs.
struct JobPage {
  std::string_view limit;  // the parameter's name
  std::string_view list;   // the member of the answer
  void (*write)(json::Writer& writer, const BulkJob& job);
};

// Writes the answer of an operation that lists the caller's jobs, from NextToken on; only of
// TableArn's table if TableArn is given. Throws ValidationException.
void write_job_page(Request& request, JobKind kind, const JobPage& page);

}  // namespace magneto::api
