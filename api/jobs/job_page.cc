#include "api/jobs/job_page.h"

#include <string>
#include <string_view>
#include <vector>

#include "api/jobs/job_request.h"
#include "api/request/arn.h"
#include "storage/model/narrow.h"

namespace magneto::api {
namespace {

// The table whose jobs are listed; empty members: all tables.
struct ListedTable {
  std::string arn;
  std::string id;
  bool is_gone = false;
};

// The ARN in the form that jobs store: an existing table has several ARNs. Exports of a deleted or
// recreated table are not listed under its ARN, but imports are (captured from AWS, October 2026).
ListedTable listed_table(const Request& request, JobKind kind, const Parameters& parameters) {
  if (!parameters.has("TableArn")) return {};
  const std::string_view given = parameters.string_or_empty("TableArn");
  parse_table_arn(given);
  const storage::TablePtr table = find_table(request, given);
  if (table == nullptr) return {.arn = std::string(given), .id = {}, .is_gone = true};
  return {.arn = table->schema.arn(),
          .id = kind == JobKind::kExport ? table->schema.id : std::string()};
}

}  // namespace

void write_job_page(Request& request, JobKind kind, const JobPage& page) {
  // Each job stores a request of up to 1 MB, which takes long to read.
  if (kind == JobKind::kImport) request.effort.leave();
  const Parameters parameters(request.input);
  const ListedTable table = listed_table(request, kind, parameters);
  std::string after;
  if (const auto token = parameters.string("NextToken")) {
    after = name_of_token(*token);
  }
  const auto limit =
      storage::narrow<std::size_t>(parameters.integer(page.limit).value_or(kDefaultJobsOfPage));
  std::vector<BulkJob> jobs;
  const bool is_forgotten = table.is_gone && kind == JobKind::kExport;
  if (!is_forgotten && request.job_context != nullptr && request.job_context->jobs != nullptr) {
    // One more job than fits shows whether there is another page.
    jobs = request.job_context->jobs->list(job_owner(request), kind, table.arn, after, limit + 1,
                                           table.id);
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
