#include <array>
#include <string>
#include <utility>

#include "api/error.h"
#include "api/jobs/bulk_jobs.h"
#include "api/jobs/export_filter.h"
#include "api/jobs/export_times.h"
#include "api/jobs/job_json.h"
#include "api/jobs/job_request.h"
#include "api/messages/job_messages.h"
#include "api/messages/resource_messages.h"
#include "api/operation.h"
#include "api/request/arn.h"
#include "api/request/table_lookup.h"

// AWS API reference, ExportTableToPointInTime; captured facts, "Export / Import".
namespace magneto::api {

extern const Operation kExportTableToPointInTime;
namespace {

constexpr std::array<std::string_view, 2> kEncryptionValues{"AES256", "KMS"};
constexpr Shape kEncryptionShape = enum_shape(kEncryptionValues);
constexpr std::array<std::string_view, 2> kFormatValues{"DYNAMODB_JSON", "ION"};
constexpr Shape kFormatShape = enum_shape(kFormatValues);
constexpr std::array<std::string_view, 2> kTypeValues{kFullExport, kIncrementalExport};
constexpr Shape kTypeShape = enum_shape(kTypeValues);
constexpr MemberShape kExportTableToPointInTimeMembers[] = {
    {"TableArn", &kJobTableArnShape, Required::kYes},
    {"ExportTime", &kDoubleShape},
    {"ClientToken", &kClientTokenShape},
    {"S3Bucket", &kBucketShape, Required::kYes},
    {"S3BucketOwner", &kBucketOwnerShape},
    {"S3Prefix", &kKeyPrefixShape},
    {"S3SseAlgorithm", &kEncryptionShape},
    {"S3SseKmsKeyId", &kKeyIdShape},
    {"ExportFormat", &kFormatShape},
    {"ExportType", &kTypeShape},
    {"IncrementalExportSpecification", &kIncrementalExportShape},
    {"FilterSpecification", &kExportFilterShape},
};
constexpr Shape kExportTableToPointInTimeInput = older_request(kExportTableToPointInTimeMembers);

// The part of the request that a description repeats, with default values except those that S3
// applies anyway.
std::string describe(json::Value input) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  for (const std::string_view name :
       {"S3Bucket", "S3BucketOwner", "S3Prefix", "S3SseAlgorithm", "S3SseKmsKeyId"}) {
    copy_member(writer, input, name);
  }
  const std::string_view format = Parameters(input).string_or_empty("ExportFormat");
  writer.text("ExportFormat", format.empty() ? "DYNAMODB_JSON" : format);
  copy_member(writer, input, "ExportType");
  copy_member(writer, input, "ExportTime");
  copy_member(writer, input, "IncrementalExportSpecification");
  copy_member(writer, input, "FilterSpecification");
  writer.end_object();
  if (text.size() > kMaxJobRequestBytes) {
    fail_validation(messages::long_job_request(kMaxJobRequestBytes));
  }
  return text;
}

// AWS's checks of an ARN, which precede the search for the table (captured from AWS, October 2026).
void check_arn(std::string_view arn) {
  if (!split_arn(arn)) fail_validation(messages::kExportWithoutTableArn);
  if (!split_table_arn(arn)) fail_validation(messages::kExportOfNoTable);
}

storage::TablePtr table_to_export(const Request& request, std::string_view arn) {
  const Caller& caller = request.caller;
  storage::TablePtr table = find_table(request, arn);
  if (table && table->schema.status != storage::ResourceStatus::kCreating) return table;
  if (split_table_arn(arn)->account != caller.account && caller.profile == Profile::kAws) {
    throw ApiError(ErrorType::kAccessDenied, messages::kAccessDenied);
  }
  fail_backup_table_not_found(arn);
}

void check_encryption(const Parameters& parameters) {
  if (parameters.has("S3SseKmsKeyId") && parameters.string_or_empty("S3SseAlgorithm") != "KMS") {
    fail_validation(messages::kKeyWithoutKms);
  }
}

void export_table(Request& request) {
  const Parameters parameters(request.input);
  BulkJobs& jobs = need_bulk_jobs(request);
  check_arn(parameters.string_or_empty("TableArn"));
  check_export_type(request.input);
  check_encryption(parameters);
  check_key_prefix(parameters.string_or_empty("S3Prefix"), "S3Prefix");
  // Copies the whole store, and persists the job.
  request.effort.leave();
  BulkJob job;
  job.kind = JobKind::kExport;
  job.client_token = parameters.string_or_empty("ClientToken");
  job.request = describe(request.input);
  job.table_arn = parameters.string_or_empty("TableArn");
  job.table_name = parse_table_arn(job.table_arn).table_name;
  // AWS also checks the table before it looks for the token (captured from AWS, October 2026).
  table_to_export(request, job.table_arn);
  job = jobs.start(job_owner(request), request.caller, std::move(job), [&](BulkJob& begun) {
    const storage::TablePtr table = table_to_export(request, begun.table_arn);
    const ExportTimes times = read_export_times(request.input, request.database, *table);
    if (const json::Value filter = parameters.value("FilterSpecification")) {
      check_export_filter(filter, table->schema);
    }
    begin_on(begun, table->schema, request.database.clock().epoch_seconds());
    begun.export_from = times.from;
    begun.export_to = times.to;
    begun.export_time = times.told.value_or(begun.start_time);
  });
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("ExportDescription");
  write_export_description(writer, job);
  writer.end_object();
}

}  // namespace

constinit const Operation kExportTableToPointInTime{.name = "ExportTableToPointInTime",
                                                    .input = kExportTableToPointInTimeInput,
                                                    .handle = &export_table,
                                                    .writes = true,
                                                    .resource = "TableArn",
                                                    .needs_store_alone = true};

}  // namespace magneto::api
