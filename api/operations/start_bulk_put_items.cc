#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "api/error.h"
#include "api/jobs/bulk_jobs.h"
#include "api/jobs/job_json.h"
#include "api/jobs/job_request.h"
#include "api/messages/job_messages.h"
#include "api/operation.h"
#include "api/request/arn.h"
#include "api/request/table_lookup.h"
#include "api/tables/table_changes.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, StartBulkPutItems.
namespace magneto::api {

extern const Operation kStartBulkPutItems;
namespace {

constexpr std::array<std::string_view, 2> kStartBulkPutItemsFormatValues{"DYNAMODB_JSON", "ION"};
constexpr Shape kStartBulkPutItemsFormatShape = enum_shape(kStartBulkPutItemsFormatValues);
constexpr std::array<std::string_view, 3> kStartBulkPutItemsCompressionValues{"GZIP", "ZSTD",
                                                                              "NONE"};
constexpr Shape kStartBulkPutItemsCompressionShape =
    enum_shape(kStartBulkPutItemsCompressionValues);
constexpr MemberShape kInputMembers[] = {
    {"S3BucketOwner", &kBucketOwnerShape},
    {"S3Bucket", &kBucketShape, Required::kYes},
    {"S3KeyPrefix", &kKeyPrefixShape},
    {"InputFormat", &kStartBulkPutItemsFormatShape, Required::kYes},
    {"InputCompressionType", &kStartBulkPutItemsCompressionShape},
};
constexpr Shape kInputShape = structure_shape("InputS3Configuration", kInputMembers);

constexpr std::array<std::string_view, 2> kStartBulkPutItemsEncryptionValues{"AES256", "KMS"};
constexpr Shape kStartBulkPutItemsEncryptionShape = enum_shape(kStartBulkPutItemsEncryptionValues);
constexpr std::array<std::string_view, 2> kOutputValues{"ERROR", "CONDITION_CHECK_FAILURE"};
constexpr Shape kOutputTypeShape = enum_shape(kOutputValues);
constexpr Shape kOutputTypesShape = list_shape(kOutputTypeShape);
constexpr MemberShape kOutputMembers[] = {
    {"S3BucketOwner", &kBucketOwnerShape}, {"S3Bucket", &kBucketShape},
    {"S3KeyPrefix", &kKeyPrefixShape},     {"S3SseAlgorithm", &kStartBulkPutItemsEncryptionShape},
    {"S3SseKmsKeyId", &kKeyIdShape},       {"OutputType", &kOutputTypesShape, Required::kYes},
};
constexpr Shape kOutputShape = structure_shape("OutputS3Configuration", kOutputMembers);

constexpr std::array<std::string_view, 2> kTierValues{"STANDARD", "ACCELERATED"};
constexpr Shape kTierShape = enum_shape(kTierValues);
constexpr Shape kUnitsShape{.kind = Kind::kLong, .min = 1'024, .has_min = true};
constexpr MemberShape kStartBulkPutItemsMembers[] = {
    {"ClientToken", &kClientTokenShape},
    {"InputS3Configuration", &kInputShape, Required::kYes},
    {"OutputS3Configuration", &kOutputShape, Required::kYes},
    {"TableName", &kItemTableNameShape, Required::kYes},
    {"MaxWriteRequestUnits", &kUnitsShape},
    {"PerformanceTier", &kTierShape},
};
constexpr Shape kStartBulkPutItemsInput = older_request(kStartBulkPutItemsMembers);

// The description of the job: the request's settings, with defaults for missing ones.
std::string describe_bulk_job(json::Value input) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  for (const std::string_view name :
       {"InputS3Configuration", "OutputS3Configuration", "MaxWriteRequestUnits"}) {
    copy_member(writer, input, name);
  }
  const std::string_view tier = Parameters(input).string_or_empty("PerformanceTier");
  writer.text("PerformanceTier", tier.empty() ? kTierValues.front() : tier);
  writer.end_object();
  if (text.size() > kMaxJobRequestBytes) {
    fail_validation(messages::long_job_request(kMaxJobRequestBytes));
  }
  return text;
}

// Makes the checks that AWS's documentation of the members requires beyond its model.
void check_output(const Parameters& output) {
  if (!output.has("S3Bucket")) fail_validation(messages::kOutputWithoutBucket);
  std::set<std::string_view> types;
  for (const json::Value type : output.value("OutputType").array()) {
    if (!types.insert(type.string()).second)
      fail_validation(messages::repeated_output(type.string()));
  }
  if (types.empty()) fail_validation(messages::kNoOutputType);
  const bool is_kms = output.string_or_empty("S3SseAlgorithm") == "KMS";
  if (is_kms == output.has("S3SseKmsKeyId")) return;
  fail_validation(is_kms ? messages::kKmsWithoutKey : messages::kKeyWithoutKms);
}

void start_bulk_put_items(Request& request) {
  const Parameters parameters(request.input);
  BulkJobs& jobs = need_bulk_jobs(request);
  const Parameters source(parameters.value("InputS3Configuration"));
  const Parameters output(parameters.value("OutputS3Configuration"));
  check_key_prefix(source.string_or_empty("S3KeyPrefix"), "S3KeyPrefix");
  check_key_prefix(output.string_or_empty("S3KeyPrefix"), "S3KeyPrefix");
  check_output(output);
  request.effort.leave();
  BulkJob job;
  job.kind = JobKind::kPut;
  job.client_token = parameters.string_or_empty("ClientToken");
  job.request = describe_bulk_job(request.input);
  const std::string_view name = parameters.string_or_empty("TableName");
  job.table_name = table_name_of(name);
  job = jobs.start(job_owner(request), request.caller, std::move(job), [&](BulkJob& begun) {
    if (const storage::TablePtr found = find_table(request, name)) {
      require_settled(found->schema, false);
    }
    const storage::TablePtr table = pin_table(request, name);
    begin_on(begun, table->schema, request.database.clock().epoch_seconds());
  });
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("BulkOperationDescription");
  write_bulk_operation_description(writer, job);
  writer.end_object();
}

}  // namespace

constinit const Operation kStartBulkPutItems{.name = "StartBulkPutItems",
                                             .input = kStartBulkPutItemsInput,
                                             .handle = &start_bulk_put_items,
                                             .writes = true};

}  // namespace magneto::api
