#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace magneto::server::formats {

// The folder that a full export of DynamoDB to S3 creates, in version 2020-06-30 of its format
// (DynamoDB Developer Guide, "DynamoDB table export output format"):
//
//   AWSDynamoDB/<export>/_started              empty
//   AWSDynamoDB/<export>/data/<file>.json.gz   DYNAMODB_JSON: lines {"Item":{...}}
//   AWSDynamoDB/<export>/data/<file>.ion.gz    ION: lines $ion_1_0 {Item:{...}}
//   AWSDynamoDB/<export>/manifest-files.json   a line for each file: itemCount, md5Checksum, etag,
//                                              dataFileS3Key
//   AWSDynamoDB/<export>/manifest-summary.json itemCount, times, outputFormat and so on
//   AWSDynamoDB/<export>/manifest-....md5      the MD5 of each manifest, in base64; .checksum on
//                                              AWS's page
enum class AwsFormat : std::uint8_t { kJson, kIon };

struct AwsDataFile {
  std::string path;
  AwsFormat format = AwsFormat::kJson;
  std::uint64_t items = 0;
  std::string md5;  // the raw 16 bytes
};

// Returns the data files that the manifests of an export list. The manifests are in `folder`, or in
// one folder below it, as above. A manifest must match its checksum file, if it has one. The item
// counts of its files must add up to the count in the summary. Throws TransferFileError, also for
// incremental exports.
std::vector<AwsDataFile> read_aws_export(const std::string& folder);

// Reads each file once, on several threads. Throws TransferFileError if a file is missing or does
// not match its checksum.
void check_aws_data_files(const std::vector<AwsDataFile>& files, std::size_t threads);

}  // namespace magneto::server::formats
