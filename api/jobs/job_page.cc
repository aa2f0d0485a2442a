#include "api/jobs/job_page.h"

#include <string>
#include <vector>

#include "api/jobs/job_request.h"
#include "api/request/arn.h"
#include "storage/model/narrow.h"

namespace magneto::api {

void write_job_page(Request& request, JobKind kind, const JobPage& page) {
  const Parameters parameters(request.input);
  const std::string_view table = parameters.string_or_empty("TableArn");
  if (parameters.has("TableArn")) parse_table_arn(table);
  std::string after;
  if (const auto token = parameters.string("NextToken")) {
    after = name_of_token(*token, page.operation);
  }
  const auto limit =
      storage::narrow<std::size_t>(parameters.integer(page.limit).value_or(page.default_limit));
  std::vector<BulkJob> jobs;
  if (request.job_place != nullptr && request.job_place->jobs != nullptr) {
    // One more tells whether there are more.
    jobs = request.job_place->jobs->list(job_owner(request), kind, table, after, limit + 1);
  }
  const bool more = jobs.size() > limit;
  if (more) jobs.resize(limit);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key(page.list);
  writer.begin_array();
  for (const BulkJob& job : jobs) page.write(writer, job);
  writer.end_array();
  if (more) writer.text("NextToken", next_token_of(jobs.back().name));
  writer.end_object();
}

}  // namespace magneto::api
