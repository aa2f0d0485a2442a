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

std::string no_files_for_jobs(std::string_view flag);
// "ExportFormat ION is not supported by Magneto"
std::string not_among_jobs(std::string_view member, std::string_view value);
inline constexpr std::string_view kExportTimeIsNotNow =
    "ExportTime must be the present: of a table's past no state is kept";
std::string long_job_request(std::size_t most);
// `member`: "S3Prefix". Why a key cannot be a path.
std::string unusable_key(std::string_view member);
std::string other_request_of_token(std::string_view token);
std::string too_many_jobs(std::size_t most);
inline constexpr std::string_view kCsvOptionsElsewhere =
    "InputFormatOptions.Csv is for InputFormat CSV alone";

}  // namespace magneto::api::messages
