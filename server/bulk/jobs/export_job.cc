#include <absl/cleanup/cleanup.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/jobs/export_times.h"
#include "api/jobs/past_reads.h"
#include "api/json/json_reader.h"
#include "api/json/json_writer.h"
#include "server/bulk/export/table_scan.h"
#include "server/bulk/jobs/export_files.h"
#include "server/bulk/jobs/job_work.h"
#include "server/bulk/jobs/messages.h"
#include "server/bulk/operations.h"
#include "server/client/endpoint/endpoint_calls.h"
#include "server/formats/aws_manifest.h"
#include "server/system/whole_file.h"

namespace magneto::server::bulk {
namespace {

using std::chrono::system_clock;

constexpr std::size_t kWorkers = 2;
constexpr std::size_t kSegmentsForWorker = 4;

std::string time_text(double seconds) {
  const auto since =
      std::chrono::round<std::chrono::microseconds>(std::chrono::duration<double>(seconds));
  return formats::aws_time_text(system_clock::time_point(since));
}

class ExportJob {
 public:
  explicit ExportJob(const JobWork& work) : work_(work), job_(work.job) {
    read_request();
    std::string root = summary_.prefix;
    if (!root.empty() && !root.ends_with('/')) root += '/';
    bucket_ = work_.objects.open(access_, work_.is_over);
    files_.emplace(*bucket_, root + formats::kAwsExportRoot, job_.name, is_incremental());
  }

  api::BulkJob run() {
    read_table();
    bool done = false;
    const absl::Cleanup clean = [&] {
      if (!done) files_->remove();
    };
    files_->begin();
    if (is_incremental() || job_.export_to) {
      read_pages();
    } else {
      scan_items();
    }
    finish();
    done = true;
    return job_;
  }

 private:
  bool is_incremental() const { return job_.export_from.has_value(); }

  void read_request() {
    api::json::Document document;
    std::string text = job_.request;
    const api::json::Object request = document.parse(text).value_or(api::json::Value()).object();
    const auto member = [&](std::string_view name) {
      return std::string(request.find(name).string());
    };
    summary_.bucket = access_.name = member("S3Bucket");
    summary_.prefix = member("S3Prefix");
    access_.encryption = member("S3SseAlgorithm");
    summary_.encryption = access_.encryption.empty() ? "AES256" : access_.encryption;
    summary_.encryption_key = access_.encryption_key = member("S3SseKmsKeyId");
    access_.owner = member("S3BucketOwner");
    if (request.find("ExportFormat").string() == "ION") summary_.format = formats::AwsFormat::kIon;
    const api::json::Value filter = request.find("FilterSpecification");
    if (filter) api::json::append_compact(filter, filter_text_);
    read_filter(filter.object());
    const api::json::Object period = request.find("IncrementalExportSpecification").object();
    summary_.view = period.find("ExportViewType").string();
    if (summary_.view.empty()) summary_.view = api::kNewAndOldImages;
  }

  void read_filter(const api::json::Object& filter) {
    const auto text = [&](std::string_view name) {
      return std::string(filter.find(name).string());
    };
    filter_.expression = text("FilterExpression");
    filter_.projection = text("ProjectionExpression");
    filter_.key_condition = text("KeyConditionExpression");
    const auto copy = [&](std::string_view name, std::string& out) {
      if (const api::json::Value value = filter.find(name)) api::json::append_compact(value, out);
    };
    copy("ExpressionAttributeNames", filter_.names);
    copy("ExpressionAttributeValues", filter_.values);
  }

  // Another may have been made under its name before all was copied.
  void read_table() {
    client::EndpointCalls calls(work_.endpoint);
    if (calls.call("DescribeTable", table_request(job_.table_name))) {
      const api::json::Object table = calls.answer().object().find("Table").object();
      if (table.find("TableId").string() == job_.table_id) {
        summary_.bytes = table.find("TableSizeBytes").truncated();
        return;
      }
    }
    throw JobFailure(kInputUnusable, std::string(messages::kTableWasReplaced));
  }

  void scan_items() {
    const bool is_query = !filter_.key_condition.empty();
    scan_table(
        {.table = job_.table_name,
         .consistent = true,
         .workers = is_query ? 1 : kWorkers,
         .segments = is_query ? 1 : kWorkers * kSegmentsForWorker,
         .filter = filter_},
        work_.endpoint, [&] { return files_->make_writer(summary_.format); }, work_.check);
  }

  // What was: item by item, or change by change.
  void read_pages() {
    const std::unique_ptr<PageTaker> writer = files_->make_writer(summary_.format);
    client::EndpointCalls calls(work_.endpoint);
    std::string start;
    do {
      work_.check();
      const std::string_view operation =
          is_incremental() ? api::kReadChangesName : api::kReadPastName;
      const api::json::Object page = calls.need(operation, page_request(start)).object();
      writer->take(
          {.items = page.find(is_incremental() ? "Records" : "Items").array(), .last_key = {}});
      start = page.find("Next").string();
    } while (!start.empty());
    writer->finish();
  }

  std::string page_request(const std::string& start) const {
    std::string body;
    api::json::Writer writer(body);
    writer.begin_object();
    writer.text("TableName", job_.table_name);
    if (is_incremental()) {
      writer.key("FromTime");
      writer.number(*job_.export_from);
      writer.text("ExportViewType", summary_.view);
    }
    if (job_.export_to) {
      writer.key(is_incremental() ? "ToTime" : "Time");
      writer.number(*job_.export_to);
    }
    if (!filter_text_.empty()) {
      writer.key("FilterSpecification");
      writer.raw() += filter_text_;
    }
    if (!start.empty()) writer.text("Start", start);
    writer.end_object();
    return body;
  }

  void finish() {
    summary_.export_arn = job_.arn;
    summary_.table_arn = job_.table_arn;
    summary_.table_id = job_.table_id;
    summary_.start_time = time_text(job_.start_time);
    const std::string to = time_text(job_.export_time);
    if (is_incremental()) {
      summary_.from_time = time_text(*job_.export_from);
      summary_.to_time = to;
    } else {
      summary_.export_time = to;
    }
    job_.end_time = work_.now();
    summary_.end_time = time_text(job_.end_time);
    job_.manifest = files_->folder_key() + "/" + formats::kAwsSummary + ".json";
    job_.items = static_cast<std::int64_t>(files_->items());
    job_.bytes = summary_.bytes;
    work_.note_sealing(job_);
    files_->finish(summary_);
  }

  const JobWork& work_;
  api::BulkJob job_;
  formats::AwsSummary summary_;
  client::BucketAccess access_;
  ScanFilter filter_;
  std::string filter_text_;  // FilterSpecification, as JSON
  std::unique_ptr<client::Bucket> bucket_;
  std::optional<ExportFiles> files_;
};

}  // namespace

api::BulkJob do_export(const JobWork& work) { return ExportJob(work).run(); }

bool is_sealed(const api::BulkJob& job, client::ObjectStore& objects,
               const std::function<bool()>& is_over) {
  constexpr std::size_t kMostMegabytes = 1;
  api::json::Document request;
  std::string request_text = job.request;
  const api::json::Object asked = request.parse(request_text).value_or(api::json::Value()).object();
  const auto bucket = objects.open({.name = std::string(asked.find("S3Bucket").string()),
                                    .owner = std::string(asked.find("S3BucketOwner").string())},
                                   is_over);
  std::vector<client::StoredObject> found;
  try {
    found = bucket->list(job.manifest);
  } catch (const client::ObjectError& error) {
    if (error.kind() != client::ObjectError::Kind::kNoKey) throw;
  }
  const auto object = std::ranges::find(found, job.manifest, &client::StoredObject::key);
  if (object == found.end()) return false;
  std::string text = system::read_whole_file(bucket->fetch(*object)->path(), kMostMegabytes).text;
  api::json::Document document;
  const api::json::Object summary = document.parse(text).value_or(api::json::Value()).object();
  return summary.find("exportArn").string() == job.arn &&
         summary.find("itemCount").integer() == job.items;
}

}  // namespace magneto::server::bulk
