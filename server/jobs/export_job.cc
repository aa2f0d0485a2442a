#include <absl/cleanup/cleanup.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "api/json/json_reader.h"
#include "server/jobs/job_work.h"
#include "server/jobs/messages.h"
#include "server/transfer/endpoint/endpoint_calls.h"
#include "server/transfer/export/aws_writer.h"
#include "server/transfer/export/table_scan.h"
#include "server/transfer/formats/aws_manifest.h"
#include "server/transfer/formats/part_name.h"
#include "server/transfer/operations.h"

namespace magneto::server {
namespace {

using std::chrono::system_clock;

constexpr std::size_t kWorkers = 2;
constexpr std::size_t kSegmentsForWorker = 4;

std::string time_text(double seconds) {
  const std::chrono::milliseconds since(static_cast<std::int64_t>(seconds * 1'000));
  return aws_time_text(system_clock::time_point(since));
}

class ExportJob {
 public:
  explicit ExportJob(const JobWork& work) : work_(work), job_(work.job) {
    read_request();
    folder_key_ = prefix_.empty() ? "" : prefix_ + "/";
    folder_key_ += std::string(kAwsExportRoot) + "/" + job_.name;
  }

  api::BulkJob run() {
    read_table();
    folder_ = work_.objects.path_to_write(summary_.bucket, folder_key_ + "/_started");
    folder_ = folder_.substr(0, folder_.rfind('/'));
    bool done = false;
    const absl::Cleanup clean = [&] {
      if (!done) work_.objects.remove_below(summary_.bucket, folder_key_);
    };
    write_aws_file(folder_, "_started", {});
    write_items();
    write_manifests();
    done = true;
    job_.manifest = folder_key_ + "/" + kAwsSummary + ".json";
    job_.items = static_cast<std::int64_t>(items_.load());
    job_.bytes = summary_.bytes;
    return job_;
  }

 private:
  void read_request() {
    api::json::Document document;
    std::string text = job_.request;
    const api::json::Object request = document.parse(text).value_or(api::json::Value()).object();
    summary_.bucket = request.find("S3Bucket").string();
    summary_.prefix = request.find("S3Prefix").string();
    summary_.encryption = request.find("S3SseAlgorithm").string();
    summary_.encryption_key = request.find("S3SseKmsKeyId").string();
    if (request.find("ExportFormat").string() == "ION") summary_.format = AwsFormat::kIon;
    read_filter(request.find("FilterSpecification").object());
    prefix_ = summary_.prefix;
    if (prefix_.ends_with('/')) prefix_.pop_back();
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
    EndpointCalls calls(work_.endpoint);
    if (calls.call("DescribeTable", table_request(job_.table_name))) {
      const api::json::Object table = calls.answer().object().find("Table").object();
      if (table.find("TableId").string() == job_.table_id) {
        summary_.bytes = table.find("TableSizeBytes").truncated();
        return;
      }
    }
    throw JobFailure(kInputUnusable, std::string(messages::kTableWasReplaced));
  }

  void write_items() {
    std::mutex mutex;
    const auto done = [&](AwsDataFile file) {
      const std::lock_guard lock(mutex);
      files_.push_back(std::move(file));
    };
    const bool is_query = !filter_.key_condition.empty();
    scan_table(
        {.table = job_.table_name,
         .consistent = true,
         .workers = is_query ? 1 : kWorkers,
         .segments = is_query ? 1 : kWorkers * kSegmentsForWorker,
         .filter = filter_},
        work_.endpoint,
        [&] {
          const std::string key = folder_key_ + "/data/" + aws_data_file_name(summary_.format);
          return std::make_unique<AwsWriter>(work_.objects.path_to_write(summary_.bucket, key),
                                             items_, done, summary_.format);
        },
        work_.check);
  }

  // The summary comes last: where it is, all is.
  void write_manifests() {
    summary_.export_arn = job_.arn;
    summary_.table_arn = job_.table_arn;
    summary_.table_id = job_.table_id;
    summary_.start_time = summary_.export_time = time_text(job_.start_time);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began_;
    summary_.end_time = time_text(job_.start_time + took.count());
    write_aws_manifest(folder_, kAwsFilesManifest, aws_files_manifest(files_, folder_key_));
    sync_folder_above(folder_ + "/data");
    std::string above = folder_;
    for (std::string_view rest = folder_key_; !rest.empty();) {
      sync_folder_above(above);
      above.resize(above.rfind('/'));
      const std::size_t slash = rest.rfind('/');
      rest = slash == std::string_view::npos ? std::string_view() : rest.substr(0, slash);
    }
    write_aws_manifest(folder_, kAwsSummary, aws_summary_manifest(summary_, files_, folder_key_));
  }

  const JobWork& work_;
  api::BulkJob job_;
  AwsSummary summary_;
  ScanFilter filter_;
  std::string prefix_;      // without a slash at its end
  std::string folder_key_;  // of the export
  std::string folder_;
  std::vector<AwsDataFile> files_;
  std::atomic<std::uint64_t> items_{0};
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace

api::BulkJob do_export(const JobWork& work) { return ExportJob(work).run(); }

}  // namespace magneto::server
