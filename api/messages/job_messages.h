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
inline constexpr const char* kEmptyExportFilter =
    "FilterSpecification must have a FilterExpression, a ProjectionExpression or a KeyConditionExpression";
std::string no_point_in_time_recovery(std::string_view table);

// ---- what is Magneto's own ---------------------------------------------------------------------

inline constexpr std::string_view kNoFilesForJobs =
    "There are no buckets: start the server with --s3-dir DIR, a folder of folders that stand for them, or with --s3-endpoint URL";
inline constexpr std::string_view kInvalidExportTime =
    "The times of an export must lie between EarliestRestorableDateTime and now";
inline constexpr std::string_view kExportPeriod =
    "From ExportFromTime to ExportToTime must be 15 minutes at least and 24 hours at most";
inline constexpr std::string_view kNoExportPeriod =
    "An INCREMENTAL_EXPORT needs IncrementalExportSpecification with ExportFromTime";
inline constexpr std::string_view kFullExportWithPeriod =
    "IncrementalExportSpecification is for ExportType INCREMENTAL_EXPORT alone";
inline constexpr std::string_view kIncrementalExportWithTime =
    "ExportTime is for ExportType FULL_EXPORT alone";
inline constexpr std::string_view kIncrementalExportWithFilter =
    "FilterSpecification is for ExportType FULL_EXPORT alone";
std::string long_job_request(std::size_t most);
// `member`: "S3Prefix". Why a key cannot be a path.
std::string unusable_key(std::string_view member);
std::string other_request_of_token(std::string_view token);
std::string too_many_jobs(std::size_t most);
inline constexpr std::string_view kCsvOptionsElsewhere =
    "InputFormatOptions.Csv is for InputFormat CSV alone";

}  // namespace magneto::api::messages
