#include <array>
#include <string>
#include <utility>

#include "api/caller_databases.h"
#include "api/error.h"
#include "api/jobs/bulk_jobs.h"
#include "api/jobs/job_json.h"
#include "api/jobs/job_request.h"
#include "api/messages/job_messages.h"
#include "api/messages/resource_messages.h"
#include "api/operation.h"
#include "api/tables/table_changes.h"
#include "api/tables/table_checks.h"
#include "api/tables/table_shapes.h"
#include "api/tables/vector_indexes.h"

// AWS API reference, ImportTable; captured facts, "Export / Import".
namespace magneto::api {

extern const Operation kImportTable;
namespace {

constexpr MemberShape kSourceMembers[] = {
    {"S3BucketOwner", &kBucketOwnerShape},
    {"S3Bucket", &kBucketShape, Required::kYes},
    {"S3KeyPrefix", &kKeyPrefixShape},
};
constexpr Shape kSourceShape = structure_shape("S3BucketSource", kSourceMembers);

bool is_delimiter(std::string_view text) {
  return text.size() == 1 && std::string_view(",;:|\t ").find(text) != std::string_view::npos;
}
constexpr Pattern kDelimiterPattern{"[,;:|\\t ]", &is_delimiter};
constexpr Shape kDelimiterShape{.kind = Kind::kString,
                                .min = 1,
                                .max = 1,
                                .has_min = true,
                                .has_max = true,
                                .pattern = &kDelimiterPattern};
// [\x20-\x21\x23-\x2B\x2D-\x7E]*
bool is_header(std::string_view text) {
  for (const char c : text) {
    if (c < ' ' || c > '~' || c == '"' || c == ',') return false;
  }
  return true;
}
constexpr Pattern kHeaderPattern{"[\\x20-\\x21\\x23-\\x2B\\x2D-\\x7E]*", &is_header};
constexpr Shape kHeaderShape{.kind = Kind::kString,
                             .min = 1,
                             .max = 65'536,
                             .has_min = true,
                             .has_max = true,
                             .pattern = &kHeaderPattern};
constexpr Shape kHeaderListShape = with_range(list_shape(kHeaderShape), 1, 255);
constexpr MemberShape kCsvMembers[] = {{"Delimiter", &kDelimiterShape},
                                       {"HeaderList", &kHeaderListShape}};
constexpr Shape kCsvShape = structure_shape("CsvOptions", kCsvMembers);
constexpr MemberShape kOptionsMembers[] = {{"Csv", &kCsvShape}};
constexpr Shape kOptionsShape = structure_shape("InputFormatOptions", kOptionsMembers);

constexpr std::array<std::string_view, 3> kImportTableFormatValues{"DYNAMODB_JSON", "ION", "CSV"};
constexpr Shape kImportTableFormatShape = enum_shape(kImportTableFormatValues);
constexpr std::array<std::string_view, 3> kCompressionValues{"ZSTD", "NONE", "GZIP"};
constexpr Shape kCompressionShape = enum_shape(kCompressionValues);

constexpr MemberShape kImportTableTableMembers[] = {
    {"TableName", &kResourceNameShape, Required::kYes},
    {"AttributeDefinitions", &kAttributeDefinitionsShape, Required::kYes},
    {"KeySchema", &kKeySchemaShape, Required::kYes},
    kBillingMode,
    kProvisionedThroughput,
    kOnDemandThroughput,
    kSseSpecification,
    {"GlobalSecondaryIndexes", &kGlobalIndexesShape},
    {"VectorIndexes", &kVectorIndexesShape},
};
constexpr Shape kImportTableTableShape =
    structure_shape("TableCreationParameters", kImportTableTableMembers);
constexpr MemberShape kImportTableMembers[] = {
    {"ClientToken", &kClientTokenShape},
    {"S3BucketSource", &kSourceShape, Required::kYes},
    {"InputFormat", &kImportTableFormatShape, Required::kYes},
    {"InputFormatOptions", &kOptionsShape},
    {"InputCompressionType", &kCompressionShape},
    {"TableCreationParameters", &kImportTableTableShape, Required::kYes},
};
constexpr Shape kImportTableInput = older_request(kImportTableMembers);

std::string describe_import_job(json::Value input) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  for (const std::string_view name :
       {"S3BucketSource", "InputFormat", "InputFormatOptions", "InputCompressionType"}) {
    copy_member(writer, input, name);
  }
  if (!Parameters(input).has("InputCompressionType")) writer.text("InputCompressionType", "NONE");
  copy_member(writer, input, "TableCreationParameters");
  writer.end_object();
  if (text.size() > kMaxJobRequestBytes) {
    fail_validation(messages::long_job_request(kMaxJobRequestBytes));
  }
  return text;
}

// As CreateTable does.
storage::TablePtr make_table(const Request& request, const TableParameters& parameters) {
  if (request.database.room().is_full()) {
    throw ApiError(ErrorType::kLimitExceeded, request.database.room().refusal());
  }
  const double now = request.database.clock().epoch_seconds();
  storage::TableSchema schema = new_table_schema(parameters, request.caller, now);
  const std::string name = schema.name;
  storage::TablePtr table = request.databases.make(request.caller).create_table(std::move(schema));
  if (!table) throw ApiError(ErrorType::kResourceInUse, messages::table_exists(name));
  return table;
}

// Removes the table of an import that cannot begin, for example because its job cannot be stored.
// The client may ask again.
void take_back(const Request& request, const storage::Table& table) {
  storage::Database& database = request.databases.make(request.caller);
  const storage::TablePtr found = database.find_table(table.schema.name);
  if (found != nullptr && found->schema.id == table.schema.id) {
    database.delete_table(table.schema.name);
  }
}

void import_table(Request& request) {
  const Parameters parameters(request.input);
  BulkJobs& jobs = need_bulk_jobs(request);
  const bool has_csv_options = Parameters(parameters.value("InputFormatOptions")).has("Csv");
  const std::string_view format = parameters.string_or_empty("InputFormat");
  if (has_csv_options && format != "CSV") {
    fail_validation(messages::csv_options_elsewhere(format));
  }
  const Parameters source(parameters.value("S3BucketSource"));
  check_key_prefix(source.string_or_empty("S3KeyPrefix"), "S3KeyPrefix");
  const TableParameters wanted = read_table_parameters(parameters.value("TableCreationParameters"));
  check_create_table(wanted);
  request.effort.leave();
  BulkJob job;
  job.kind = JobKind::kImport;
  job.client_token = parameters.string_or_empty("ClientToken");
  job.request = describe_import_job(request.input);
  // The caller's database may be made for it.
  JobOwner owner = job_owner(request);
  owner.database = request.databases.make(request.caller).name();
  storage::TablePtr table;
  try {
    job = jobs.start(owner, request.caller, std::move(job), [&](BulkJob& begun) {
      table = make_table(request, wanted);
      begin_on(begun, table->schema, request.database.clock().epoch_seconds());
    });
  } catch (...) {
    if (table != nullptr) take_back(request, *table);
    throw;
  }
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("ImportTableDescription");
  write_import_description(writer, job);
  writer.end_object();
}

}  // namespace

constinit const Operation kImportTable{.name = "ImportTable",
                                       .input = kImportTableInput,
                                       .handle = &import_table,
                                       .writes = true,
                                       .resource = {},
                                       .target = "TableCreationParameters.TableName"};

}  // namespace magneto::api
