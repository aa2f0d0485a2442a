#include "server/formats/aws_manifest.h"

#include <filesystem>
#include <random>

#include "api/json/base64.h"
#include "api/json/json_writer.h"
#include "server/formats/md5.h"
#include "server/formats/target_file.h"

namespace magneto::server::formats {
namespace {

using api::json::Writer;

std::string random_text(std::string_view letters, std::size_t size) {
  std::random_device random;
  std::uniform_int_distribution<std::size_t> letter(0, letters.size() - 1);
  std::string text;
  while (text.size() < size) text += letters[letter(random)];
  return text;
}

std::string hex_of(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0x0F];
  }
  return text;
}

// Writes null for an empty text, as AWS does for a prefix that was not given.
void write_text(Writer& writer, std::string_view name, const std::string& text) {
  if (!text.empty()) {
    writer.text(name, text);
    return;
  }
  writer.key(name);
  writer.null();
}

}  // namespace

std::string aws_export_name(std::int64_t milliseconds) {
  std::string digits = std::to_string(milliseconds);
  digits.insert(0, digits.size() < 14 ? 14 - digits.size() : 0, '0');
  return digits + "-" + random_text("0123456789abcdef", 8);
}

std::string aws_data_file_name(AwsFormat format) {
  const char* const end = format == AwsFormat::kIon ? ".ion.gz" : ".json.gz";
  return random_text("abcdefghijklmnopqrstuvwxyz234567", 26) + end;
}

std::string aws_files_manifest(const std::vector<AwsDataFile>& files, const std::string& data_key) {
  std::string manifest;
  for (const AwsDataFile& file : files) {
    std::string md5;
    api::json::encode_base64(file.md5, md5);
    Writer writer(manifest);
    writer.begin_object();
    writer.integer("itemCount", static_cast<std::int64_t>(file.items));
    writer.text("md5Checksum", md5);
    writer.text("etag", hex_of(file.md5));
    writer.text("dataFileS3Key",
                data_key + "/" + std::filesystem::path(file.path).filename().string());
    writer.end_object();
    manifest += '\n';
  }
  return manifest;
}

std::string aws_summary_manifest(const AwsSummary& summary, const std::vector<AwsDataFile>& files,
                                 const std::string& folder_key) {
  std::uint64_t items = 0;
  for (const AwsDataFile& file : files) items += file.items;
  std::string text;
  Writer writer(text);
  writer.begin_object();
  const bool is_incremental = !summary.from_time.empty();
  writer.text("version", is_incremental ? "2023-08-01" : "2020-06-30");
  write_text(writer, "exportArn", summary.export_arn);
  writer.text("startTime", summary.start_time);
  writer.text("endTime", summary.end_time);
  write_text(writer, "tableArn", summary.table_arn);
  write_text(writer, "tableId", summary.table_id);
  if (is_incremental) {
    writer.text("exportFromTime", summary.from_time);
    writer.text("exportToTime", summary.to_time);
  } else {
    writer.text("exportTime", summary.export_time);
  }
  write_text(writer, "s3Bucket", summary.bucket);
  write_text(writer, "s3Prefix", summary.prefix);
  write_text(writer, "s3SseAlgorithm", summary.encryption);
  write_text(writer, "s3SseKmsKeyId", summary.encryption_key);
  writer.text("manifestFilesS3Key", folder_key + "/" + kAwsFilesManifest + ".json");
  writer.integer("billedSizeBytes", summary.bytes);
  writer.integer("itemCount", static_cast<std::int64_t>(items));
  writer.text("outputFormat", summary.format == AwsFormat::kIon ? "ION" : "DYNAMODB_JSON");
  if (is_incremental) writer.text("outputView", summary.view);
  writer.text("exportType", is_incremental ? "INCREMENTAL_EXPORT" : "FULL_EXPORT");
  writer.end_object();
  return text;
}

std::vector<std::pair<std::string, std::string>> aws_manifest_files(const std::string& name,
                                                                    const std::string& text) {
  const std::string md5 = md5_base64(text);
  return {{name + ".checksum", md5}, {name + ".md5", md5}, {name + ".json", text}};
}

void write_aws_file(const std::string& folder, const std::string& name, const std::string& text) {
  TargetFile file(folder + "/" + name, false);
  file.append(text);
  file.keep();
}

void write_aws_manifest(const std::string& folder, const std::string& name,
                        const std::string& text) {
  for (const auto& [file, content] : aws_manifest_files(name, text)) {
    write_aws_file(folder, file, content);
  }
}

}  // namespace magneto::server::formats
