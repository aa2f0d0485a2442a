#include <absl/cleanup/cleanup.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/jobs/export_filter.h"
#include "api/jobs/export_times.h"
#include "api/json/json_reader.h"
#include "api/times.h"
#include "server/bulk/export/segment_threads.h"
#include "server/bulk/jobs/export_files.h"
#include "server/bulk/jobs/export_lines.h"
#include "server/bulk/jobs/job_table.h"
#include "server/bulk/jobs/job_work.h"
#include "server/bulk/jobs/messages.h"
#include "server/formats/aws_manifest.h"
#include "server/system/whole_file.h"
#include "storage/backup/item_chunk.h"
#include "storage/backup/table_as_of.h"
#include "storage/model/effort.h"
#include "storage/model/limits.h"

namespace magneto::server::bulk {
namespace {

constexpr std::size_t kThreads = 2;
constexpr std::size_t kSegmentsForThread = 4;

std::string time_text(double seconds) {
  return api::time_text(api::TimePoint(
      std::chrono::round<std::chrono::microseconds>(std::chrono::duration<double>(seconds))));
}

class ExportJob {
 public:
  explicit ExportJob(const JobWork& work) : work_(work), job_(work.job), request_(job_.request) {
    read_request();
    std::string root = summary_.prefix;
    if (!root.empty() && !root.ends_with('/')) root += '/';
    bucket_ = work_.objects.open(access_, work_.is_over);
    files_.emplace(*bucket_, root + formats::kAwsExportRoot, job_.name, is_incremental(),
                   summary_.format);
  }

  api::BulkJob run() {
    read_table();
    bool done = false;
    const absl::Cleanup clean = [&] {
      if (!done) files_->remove();
    };
    files_->begin();
    if (is_incremental()) {
      read_changes();
    } else if (job_.export_to) {
      read_past();
    } else {
      read_items();
    }
    finish();
    done = true;
    return job_;
  }

 private:
  bool is_incremental() const { return job_.export_from.has_value(); }

  void read_request() {
    const api::json::Object request =
        document_.parse(request_).value_or(api::json::Value()).object();
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
    filter_.emplace(request.find("FilterSpecification"));
    const api::json::Object period = request.find("IncrementalExportSpecification").object();
    summary_.view = period.find("ExportViewType").string();
    if (summary_.view.empty()) summary_.view = api::kNewAndOldImages;
  }

  // A new table may have been created under the same name before the copy was made.
  void read_table() {
    table_ = find_job_table(work_.database, job_);
    if (table_ == nullptr) {
      throw JobFailure(kInputUnusable, std::string(messages::kTableWasReplaced));
    }
    summary_.bytes = table_->statistics->charged_bytes();
  }

  void read_items() {
    const std::size_t threads = filter_->has_key() ? 1 : kThreads;
    const std::size_t segments = filter_->has_key() ? 1 : kThreads * kSegmentsForThread;
    const auto make_reader = [&] { return std::make_unique<ItemReader>(*this, segments); };
    read_segments(segments, threads, make_reader, work_.check);
  }

  // Reads segments of the current items into its own files.
  class ItemReader final : public SegmentReader {
   public:
    ItemReader(ExportJob& job, std::size_t segments)
        : job_(job), segments_(segments), writer_(*job.files_) {}

    void read(std::size_t segment, const std::atomic<bool>& stopped) override {
      storage::KeyRange keys = job_.filter_
                                   ->range(*job_.table_, static_cast<std::uint32_t>(segment),
                                           static_cast<std::uint32_t>(segments_))
                                   .keys();
      while (keys.lower < keys.upper && !stopped) keys.lower = read_page(keys);
    }
    void finish() override { writer_.finish(); }

   private:
    // Reads one page. Returns the start of the next page, or the end of `keys` after the last one.
    // A cursor that lived longer would keep items that other writers have replaced.
    std::string read_page(const storage::KeyRange& keys) {
      storage::Effort effort;
      storage::ItemCursor cursor =
          job_.work_.database.scan(*job_.table_, nullptr, keys, storage::Direction::kForward,
                                   {.entries = 0, .bytes = storage::kPageSize});
      std::size_t bytes = 0;
      while (cursor.next()) {
        job_.take(cursor.item(), effort, writer_);
        bytes += cursor.item_size();
        if (bytes >= storage::kPageSize) return storage::key_behind(cursor.key());
      }
      return keys.upper;
    }

    ExportJob& job_;
    const std::size_t segments_;
    ExportFiles::Writer writer_;
  };

  void take(storage::ItemView item, storage::Effort& effort, ExportFiles::Writer& writer) const {
    filter_->select(item, effort, [&](storage::ItemView found) {
      append_item_line(summary_.format, found, writer.begin_line());
      writer.end_line();
    });
  }

  void need_done(storage::BackupOutcome outcome) const {
    if (outcome == storage::BackupOutcome::kDone) return;
    if (outcome == storage::BackupOutcome::kOutsideWindow) api::fail_export_time();
    if (outcome == storage::BackupOutcome::kNoHistory) api::fail_no_recovery(job_.table_name);
    throw JobFailure(kInputUnusable, std::string(messages::kTableWasReplaced));
  }

  void read_past() {
    const storage::AsOfView view = work_.database.read_as_of(*table_, job_.export_to);
    need_done(view.outcome);
    const storage::KeyRange keys = filter_->range(*table_, 0, 1).keys();
    ExportFiles::Writer writer(*files_);
    std::string start = keys.lower;
    while (start < keys.upper) {
      work_.check();
      storage::Effort effort;
      storage::AsOfCursor cursor(*view.past, start, {});
      start = keys.upper;
      std::size_t bytes = 0;
      while (cursor.next() && cursor.key() < keys.upper) {
        take(cursor.item_view(), effort, writer);
        bytes += cursor.item_size();
        if (bytes < storage::kPageSize) continue;
        start = storage::key_behind(cursor.key());
        break;
      }
      if (cursor.is_resting()) start = cursor.rest_key();
    }
    writer.finish();
  }

  void read_changes() {
    const storage::PeriodView view =
        work_.database.see_period(*table_, *job_.export_from, job_.export_to);
    need_done(view.outcome);
    const bool has_old = summary_.view != api::kNewImage;
    ExportFiles::Writer writer(*files_);
    std::optional<std::string> start = std::string();
    while (start) {
      work_.check();
      const storage::Effort effort;
      storage::PeriodCursor cursor(view.period, *start);
      start.reset();
      std::size_t bytes = 0;
      while (cursor.next()) {
        append_change_line(summary_.format, cursor, table_->schema.key, has_old,
                           writer.begin_line());
        writer.end_line();
        bytes += cursor.bytes();
        if (bytes < storage::kPageSize) continue;
        start = storage::key_behind(cursor.key());
        break;
      }
      if (cursor.is_resting()) start = cursor.rest_key();
    }
    writer.finish();
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
  std::string request_;
  api::json::Document document_;  // of request_
  std::optional<api::ExportFilter> filter_;
  storage::TablePtr table_;
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
