#include "api/jobs/job_json.h"

#include <cmath>
#include <string>
#include <string_view>

#include "api/jobs/export_times.h"
#include "api/jobs/job_request.h"
#include "api/json/json_reader.h"
#include "api/request/arn.h"

namespace magneto::api {
namespace {

void write_times(json::Writer& writer, const BulkJob& job) {
  writer.key("StartTime");
  writer.time(job.start_time);
  if (!has_ended(job.status)) return;
  writer.key("EndTime");
  writer.time(job.end_time);
}

void write_failure(json::Writer& writer, const BulkJob& job) {
  if (job.status != JobStatus::kFailed && job.status != JobStatus::kCancelled) return;
  writer.text("FailureCode", job.failure_code);
  writer.text("FailureMessage", job.failure_message);
}

void write_token(json::Writer& writer, const BulkJob& job) {
  if (!job.client_token.empty()) writer.text("ClientToken", job.client_token);
}

constexpr std::string_view kPeriod = "IncrementalExportSpecification";
constexpr std::string_view kTime = "ExportTime";
constexpr std::string_view kEncryption = "S3SseAlgorithm";

// Writes a time, with microseconds if it has any, so that a period that begins there misses
// nothing.
void write_moment(json::Writer& writer, double seconds) {
  constexpr double kMillisecondsInSecond = 1'000;
  const double rounded = std::round(seconds * kMillisecondsInSecond) / kMillisecondsInSecond;
  if (std::abs(seconds - rounded) < 1e-7) {
    writer.time(seconds);
  } else {
    writer.number(seconds);
  }
}

// Writes the exported time or period, which may end earlier than requested. The default view type
// is both images.
void write_times_of_export(json::Writer& writer, json::Value request, const BulkJob& job) {
  const Parameters members(request);
  const json::Value period = members.value(kPeriod);
  const bool is_told = job.export_time > 0;
  if (!period) {
    if (!is_told && members.has(kTime)) return copy_member(writer, request, kTime);
    writer.key(kTime);
    return write_moment(writer, is_told ? job.export_time : job.start_time);
  }
  const Parameters given(period);
  writer.key(kPeriod);
  writer.begin_object();
  copy_member(writer, period, "ExportFromTime");
  if (!is_told && given.has("ExportToTime")) {
    copy_member(writer, period, "ExportToTime");
  } else {
    writer.key("ExportToTime");
    write_moment(writer, is_told ? job.export_time : job.start_time);
  }
  const std::string_view view = given.string_or_empty("ExportViewType");
  writer.text("ExportViewType", view.empty() ? kNewAndOldImages : view);
  writer.end_object();
}

constexpr std::string_view kSource = "S3BucketSource";

// Without an owner in the request, the caller owns the bucket (captured from AWS, October 2026).
void write_source(json::Writer& writer, json::Value request, const BulkJob& job) {
  const json::Value source = Parameters(request).value(kSource);
  const auto table = split_table_arn(job.table_arn);
  writer.key(kSource);
  writer.begin_object();
  if (table && !Parameters(source).has("S3BucketOwner")) {
    writer.text("S3BucketOwner", table->account);
  }
  for (const json::Member member : source.object()) copy_member(writer, source, member.name);
  writer.end_object();
}

// The log group in which AWS would report skipped records.
void write_log_group(json::Writer& writer, const BulkJob& job) {
  const auto table = split_table_arn(job.table_arn);
  if (!table) return;
  std::string arn = "arn:aws:logs:";
  arn.append(table->region).append(":").append(table->account);
  writer.text("CloudWatchLogGroupArn", arn + ":log-group:/aws-dynamodb/imports:*");
}

}  // namespace

std::string_view status_name(JobStatus status) {
  switch (status) {
    case JobStatus::kCompleted:
      return "COMPLETED";
    case JobStatus::kFailed:
      return "FAILED";
    case JobStatus::kCompletedWithErrors:
      return "COMPLETED_WITH_ERRORS";
    case JobStatus::kCancelling:
      return "CANCELLING";
    case JobStatus::kCancelled:
      return "CANCELLED";
    case JobStatus::kInProgress:
      break;
  }
  return "IN_PROGRESS";
}

void write_export_description(json::Writer& writer, const BulkJob& job) {
  json::Document document;
  std::string text = job.request;
  const json::Value request = document.parse(text).value_or(json::Value());
  writer.begin_object();
  writer.text("ExportArn", job.arn);
  writer.text("ExportStatus", status_name(job.status));
  write_times(writer, job);
  if (!job.manifest.empty()) writer.text("ExportManifest", job.manifest);
  writer.text("TableArn", job.table_arn);
  writer.text("TableId", job.table_id);
  write_token(writer, job);
  for (const json::Member member : request.object()) {
    if (member.name != kPeriod && member.name != kTime) copy_member(writer, request, member.name);
  }
  // The encryption that S3 applies by default.
  if (!Parameters(request).has(kEncryption)) writer.text(kEncryption, "AES256");
  // Newer than AWS's model of October 2026, but present in AWS's answers.
  writer.text("DestinationType", "S3");
  write_times_of_export(writer, request, job);
  write_failure(writer, job);
  if (job.status == JobStatus::kCompleted) {
    writer.integer("BilledSizeBytes", job.bytes);
    writer.integer("ItemCount", job.items);
  }
  writer.end_object();
}

void write_export_summary(json::Writer& writer, const BulkJob& job) {
  json::Document document;
  std::string text = job.request;
  const json::Value request = document.parse(text).value_or(json::Value());
  writer.begin_object();
  writer.text("ExportArn", job.arn);
  writer.text("ExportStatus", status_name(job.status));
  const std::string_view type = Parameters(request).string_or_empty("ExportType");
  writer.text("ExportType", type.empty() ? kFullExport : type);
  writer.end_object();
}

void write_import_description(json::Writer& writer, const BulkJob& job) {
  json::Document document;
  std::string text = job.request;
  const json::Value request = document.parse(text).value_or(json::Value());
  writer.begin_object();
  writer.text("ImportArn", job.arn);
  writer.text("ImportStatus", status_name(job.status));
  writer.text("TableArn", job.table_arn);
  writer.text("TableId", job.table_id);
  write_token(writer, job);
  for (const json::Member member : request.object()) {
    if (member.name != kSource) copy_member(writer, request, member.name);
  }
  write_source(writer, request, job);
  writer.integer("ErrorCount", job.errors);
  write_log_group(writer, job);
  write_times(writer, job);
  writer.integer("ProcessedSizeBytes", job.bytes);
  writer.integer("ProcessedItemCount", job.items + job.errors);
  writer.integer("ImportedItemCount", job.items);
  write_failure(writer, job);
  writer.end_object();
}

void write_import_summary(json::Writer& writer, const BulkJob& job) {
  json::Document document;
  std::string text = job.request;
  const json::Value request = document.parse(text).value_or(json::Value());
  writer.begin_object();
  writer.text("ImportArn", job.arn);
  writer.text("ImportStatus", status_name(job.status));
  writer.text("TableArn", job.table_arn);
  write_source(writer, request, job);
  write_log_group(writer, job);
  copy_member(writer, request, "InputFormat");
  write_times(writer, job);
  writer.end_object();
}

void write_bulk_operation_description(json::Writer& writer, const BulkJob& job) {
  json::Document document;
  std::string text = job.request;
  const json::Value request = document.parse(text).value_or(json::Value());
  writer.begin_object();
  writer.text("BulkOperationArn", job.arn);
  writer.text("BulkOperationStatus", status_name(job.status));
  writer.key("TableDetails");
  writer.begin_array();
  writer.begin_object();
  writer.text("TableName", job.table_name);
  writer.text("TableId", job.table_id);
  writer.end_object();
  writer.end_array();
  write_token(writer, job);
  for (const json::Member member : request.object()) copy_member(writer, request, member.name);
  write_times(writer, job);
  writer.integer("ProcessedItemCount", job.items + job.errors);
  writer.integer("ProcessedInputBytes", job.bytes);
  if (job.total_bytes != 0) writer.integer("TotalInputBytes", job.total_bytes);
  writer.integer("FailedItemCount", job.errors);
  write_failure(writer, job);
  writer.end_object();
}

void write_bulk_operation_summary(json::Writer& writer, const BulkJob& job) {
  writer.begin_object();
  writer.text("BulkOperationArn", job.arn);
  writer.text("BulkOperationStatus", status_name(job.status));
  write_times(writer, job);
  writer.end_object();
}

}  // namespace magneto::api
