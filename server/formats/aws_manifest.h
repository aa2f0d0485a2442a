#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/formats/aws_export.h"

// The texts of an export in AWS's format (aws_export.h).
namespace magneto::server::formats {

// The folder that contains all exports of a bucket or folder.
inline constexpr const char* kAwsExportRoot = "AWSDynamoDB";

// The facts for the summary; unknown texts are empty.
struct AwsSummary {
  std::string export_arn;
  std::string table_arn;
  std::string table_id;
  std::string start_time;  // "2026-01-01T00:00:00.000Z"
  std::string end_time;
  std::string export_time;  // of a full export only
  std::string from_time;    // of an incremental export only
  std::string to_time;
  std::string view;  // of an incremental export: "NEW_AND_OLD_IMAGES"
  std::string bucket;
  std::string prefix;
  std::string encryption;
  std::string encryption_key;
  std::int64_t bytes = 0;
  AwsFormat format = AwsFormat::kJson;
};

// "01693685827463-2d8752fd": milliseconds since 1970, and a random part that distinguishes exports
// of the same millisecond.
std::string aws_export_name(std::int64_t milliseconds);
// The name for a new data file: random letters and ".json.gz" or ".ion.gz".
std::string aws_data_file_name(AwsFormat format = AwsFormat::kJson);

// `data_key`: the key of the data folder, "AWSDynamoDB/01693685827463-2d8752fd/data". All
// incremental exports share "AWSDynamoDB/data".
std::string aws_files_manifest(const std::vector<AwsDataFile>& files, const std::string& data_key);
// `folder_key`: the key of the export's folder, "AWSDynamoDB/01693685827463-2d8752fd".
std::string aws_summary_manifest(const AwsSummary& summary, const std::vector<AwsDataFile>& files,
                                 const std::string& folder_key);

// The files of a manifest, in the order in which they must be written: first the checksums, then
// the text as "<name>.json".
std::vector<std::pair<std::string, std::string>> aws_manifest_files(const std::string& name,
                                                                    const std::string& text);
// Writes the whole file "<folder>/<name>", or all files of a manifest. Both throw
// TransferFileError.
void write_aws_file(const std::string& folder, const std::string& name, const std::string& text);
void write_aws_manifest(const std::string& folder, const std::string& name,
                        const std::string& text);
inline constexpr const char* kAwsFilesManifest = "manifest-files";
inline constexpr const char* kAwsSummary = "manifest-summary";

}  // namespace magneto::server::formats
