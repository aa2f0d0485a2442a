#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Exports of tables to files and imports from them.
namespace magneto::api::messages {

// ---- in AWS's words ----------------------------------------------------------------------------

std::string export_not_found(std::string_view arn);
std::string import_not_found(std::string_view arn);
std::string bulk_operation_not_found(std::string_view arn);
std::string no_point_in_time_recovery(std::string_view table);

// Captured from AWS, October 2026.
inline constexpr std::string_view kNotAnExport = "Invalid Export ARN";
inline constexpr std::string_view kNotAnImport = "Invalid Import ARN";
inline constexpr std::string_view kExportElsewhere = "Export not found: Invalid export arn";
inline constexpr std::string_view kExportWithoutTableArn =
    "One or more parameter values were invalid: tableArn is not a valid ARN";
inline constexpr std::string_view kExportOfNoTable = "Invalid Request: Table ARN is invalid.";
inline constexpr std::string_view kEmptyExportFilter =
    "Invalid Request: Invalid FilterSpecification: The specification can not be empty";
inline constexpr std::string_view kKeyWithoutKms =
    "Invalid Request: KMS Key Id is not supported for this encryption type";
inline constexpr std::string_view kInvalidExportTime = "Export Time is invalid";
inline constexpr std::string_view kPeriodWithoutType =
    "Invalid Request: Export Type expected to be Incremental Export when incremental export specification is provided";
inline constexpr std::string_view kFullExportWithPeriod =
    "Invalid Request: When Export Type is Full Export , Incremental Export Specification should not be provided";
inline constexpr std::string_view kNoExportPeriod =
    "Invalid Request: Incremental Export Specification expected when export type is set as Incremental Export";
inline constexpr std::string_view kNoPeriodStart =
    "Invalid Request: ExportFromTime must be provided in IncrementalExportSpecification";
// Times are in seconds since 1970.
std::string period_before_table(double from);
std::string period_in_the_future(double to);
inline constexpr std::string_view kShortExportPeriod =
    "Difference between export period from time and export period to time is less than 15 minutes";
inline constexpr std::string_view kExportConflict =
    "Export conflict: Duplicate request detected with conflicting parameters";
inline constexpr std::string_view kImportConflict =
    "Import conflict: Duplicate request detected with conflicting parameters";
// `format`: "DYNAMODB_JSON".
std::string csv_options_elsewhere(std::string_view format);
std::string foreign_job_token(std::string_view token);

// ---- Magneto's own messages -------------------------------------------------------------------

inline constexpr std::string_view kNoFilesForJobs =
    "There are no buckets: start the server with --s3-dir DIR, a folder of folders that stand for them, or with --s3-endpoint URL";
// Worded like kShortExportPeriod.
inline constexpr std::string_view kLongExportPeriod =
    "Difference between export period from time and export period to time is greater than 24 hours";
inline constexpr std::string_view kIncrementalExportWithTime =
    "ExportTime is for ExportType FULL_EXPORT alone";
inline constexpr std::string_view kIncrementalExportWithFilter =
    "FilterSpecification is for ExportType FULL_EXPORT alone";
inline constexpr std::string_view kOutputWithoutBucket =
    "OutputS3Configuration must have an S3Bucket";
inline constexpr std::string_view kNoOutputType = "OutputType must have at least one value";
std::string repeated_output(std::string_view type);
// Worded like kKeyWithoutKms.
inline constexpr std::string_view kKmsWithoutKey =
    "Invalid Request: KMS Key Id is required for this encryption type";
std::string long_job_request(std::size_t most);
// `member`: for example "S3Prefix". For a key that cannot be a path.
std::string unusable_key(std::string_view member);
std::string other_request_of_token(std::string_view token);
std::string too_many_jobs(std::size_t most);

}  // namespace magneto::api::messages
