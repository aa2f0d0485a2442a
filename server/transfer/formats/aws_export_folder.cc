#include "server/transfer/formats/aws_export_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <random>
#include <string_view>
#include <system_error>
#include <utility>

#include "api/json/base64.h"
#include "api/json/json_writer.h"
#include "server/transfer/formats/md5.h"
#include "server/transfer/formats/messages.h"
#include "server/transfer/formats/part_name.h"
#include "server/transfer/formats/target_file.h"

namespace magneto::server {
namespace {

namespace fs = std::filesystem;
using api::json::Writer;
using SystemClock = std::chrono::system_clock;

constexpr const char* kRoot = "AWSDynamoDB";
// Says that what lies beside it was not written to its end.
constexpr const char* kMarker = "AWSDynamoDB/.magneto-part";

std::int64_t milliseconds_of(SystemClock::time_point time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

// "2026-01-01T00:00:00.000Z"
std::string time_text(SystemClock::time_point time) {
  const std::int64_t milliseconds = milliseconds_of(time);
  const std::time_t seconds = milliseconds / 1000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[40];
  const std::size_t size = std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts);
  const std::string fraction = std::to_string(1000 + milliseconds % 1000).substr(1);
  return std::string(text, size) + "." + fraction + "Z";
}

std::string random_text(std::string_view letters, std::size_t size) {
  std::random_device random;
  std::uniform_int_distribution<std::size_t> letter(0, letters.size() - 1);
  std::string text;
  while (text.size() < size) text += letters[letter(random)];
  return text;
}

// "01693685827463-2d8752fd": milliseconds since 1970, and what tells exports of one apart.
std::string new_export_name() {
  std::string digits = std::to_string(milliseconds_of(SystemClock::now()));
  digits.insert(0, digits.size() < 14 ? 14 - digits.size() : 0, '0');
  return digits + "-" + random_text("0123456789abcdef", 8);
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

// nullptr where there is none, as AWS writes for a prefix that was not given.
void write_text(Writer& writer, std::string_view name, const std::string& text) {
  if (!text.empty()) {
    writer.text(name, text);
    return;
  }
  writer.key(name);
  writer.raw().append("null");
}

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

// Of an export of ours that was killed: nothing else may be removed.
bool is_left_over(const std::string& part) {
  std::error_code error;
  fs::directory_iterator entry(part, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (entry->path().filename() != kRoot || !is_there(part + "/" + kMarker)) return false;
  }
  return !error;
}

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw TransferFileError(messages::unwritable_target(path, error.message()));
}

}  // namespace

AwsExportFolder::AwsExportFolder(std::string path)
    : path_(without_slash(std::move(path))),
      part_(path_ + ".part"),
      name_(new_export_name()),
      start_time_(time_text(SystemClock::now())) {
  if (is_there(path_)) throw TransferFileError(messages::folder_exists(path_));
  if (is_there(part_) && !is_left_over(part_)) {
    throw TransferFileError(messages::folder_exists(part_));
  }
  descriptor_ = open_part(part_, O_RDONLY | O_DIRECTORY);
  try {
    std::error_code error;
    fs::remove_all(part_ + "/" + kRoot, error);
    if (error) throw TransferFileError(messages::unwritable_target(part_, error.message()));
    make_folder(part_ + "/" + kRoot);
    TargetFile(part_ + "/" + kMarker, false).keep();
    make_folder(part_ + "/" + kRoot + "/" + name_ + "/data");
    write("_started", {});
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

AwsExportFolder::~AwsExportFolder() {
  std::error_code ignored;
  if (!written_) {
    fs::remove_all(part_ + "/" + kRoot, ignored);
    ::rmdir(part_.c_str());
  }
  ::close(descriptor_);
}

std::string AwsExportFolder::new_data_path() const {
  const std::string file = random_text("abcdefghijklmnopqrstuvwxyz234567", 26);
  return part_ + "/" + kRoot + "/" + name_ + "/data/" + file + ".json.gz";
}

void AwsExportFolder::write(const std::string& name, const std::string& text) const {
  TargetFile file(part_ + "/" + kRoot + "/" + name_ + "/" + name, false);
  file.append(text);
  file.keep();
}

void AwsExportFolder::write_manifest(const std::string& name, const std::string& text) const {
  write(name + ".json", text);
  for (const char* const end : {".checksum", ".md5"}) write(name + end, md5_base64(text));
}

std::string AwsExportFolder::summary(const AwsTable& table,
                                     const std::vector<AwsDataFile>& files) const {
  std::uint64_t items = 0;
  for (const AwsDataFile& file : files) items += file.items;
  std::string text;
  Writer writer(text);
  writer.begin_object();
  writer.text("version", "2020-06-30");
  write_text(writer, "exportArn", table.arn.empty() ? "" : table.arn + "/export/" + name_);
  writer.text("startTime", start_time_);
  writer.text("endTime", time_text(SystemClock::now()));
  write_text(writer, "tableArn", table.arn);
  write_text(writer, "tableId", table.id);
  writer.text("exportTime", start_time_);
  // No bucket has it yet.
  for (const char* const name : {"s3Bucket", "s3Prefix", "s3SseAlgorithm", "s3SseKmsKeyId"}) {
    write_text(writer, name, {});
  }
  writer.text("manifestFilesS3Key", std::string(kRoot) + "/" + name_ + "/manifest-files.json");
  writer.key("billedSizeBytes");
  writer.integer(0);
  writer.key("itemCount");
  writer.integer(static_cast<std::int64_t>(items));
  writer.text("outputFormat", "DYNAMODB_JSON");
  writer.text("exportType", "FULL_EXPORT");
  writer.end_object();
  return text;
}

void AwsExportFolder::keep(const AwsTable& table, const std::vector<AwsDataFile>& files) {
  std::string manifest;
  for (const AwsDataFile& file : files) {
    std::string md5;
    api::json::encode_base64(file.md5, md5);
    Writer writer(manifest);
    writer.begin_object();
    writer.key("itemCount");
    writer.integer(static_cast<std::int64_t>(file.items));
    writer.text("md5Checksum", md5);
    writer.text("etag", hex_of(file.md5));
    writer.text("dataFileS3Key", std::string(kRoot) + "/" + name_ + "/data/" +
                                     fs::path(file.path).filename().string());
    writer.end_object();
    manifest += '\n';
  }
  write_manifest("manifest-files", manifest);
  write_manifest("manifest-summary", summary(table, files));
  if (::unlink((part_ + "/" + kMarker).c_str()) != 0) {
    throw TransferFileError(
        messages::unwritable_target(part_, std::generic_category().message(errno)));
  }
  const std::string above = part_ + "/" + kRoot + "/" + name_;
  for (const std::string& entry : {above + "/data", above, part_ + "/" + kRoot}) {
    sync_folder_above(entry);
  }
  written_ = true;
  name_part(part_, path_, false);
}

}  // namespace magneto::server
