#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace magneto::server::formats {

// The folder that an export of DynamoDB to S3 leaves (DynamoDB Developer Guide, "DynamoDB table
// export output format"), as of version 2020-06-30, full:
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
  std::string md5;  // 16 bytes
};

// The data files that the manifests of `folder` name; the manifests lie there, or in one folder
// below, as above. A manifest has the checksum that lies beside it, if there is one, and its items are as
// many as the summary tells. Throws TransferFileError, also for incremental exports.
std::vector<AwsDataFile> read_aws_export(const std::string& folder);

// Reads each file once, in several threads: all are there and have their checksums, else throws
// TransferFileError.
void check_aws_data_files(const std::vector<AwsDataFile>& files, std::size_t threads);

}  // namespace magneto::server::formats
