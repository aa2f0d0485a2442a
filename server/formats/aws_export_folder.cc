#include "server/formats/aws_export_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "api/times.h"
#include "server/formats/aws_manifest.h"
#include "server/formats/messages.h"
#include "server/formats/part_name.h"
#include "server/formats/target_file.h"

namespace magneto::server::formats {
namespace {

namespace fs = std::filesystem;
using SystemClock = std::chrono::system_clock;

constexpr const char* kFolderRoot = kAwsExportRoot;
// Marks a folder whose export is incomplete.
constexpr const char* kMarker = "AWSDynamoDB/.magneto-part";

std::string new_export_name() {
  const auto since = SystemClock::now().time_since_epoch();
  return aws_export_name(std::chrono::floor<std::chrono::milliseconds>(since).count());
}

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

// Whether the folder contains only the remains of an own killed export. Nothing else may be
// removed.
bool is_left_over(const std::string& part) {
  std::error_code error;
  fs::directory_iterator entry(part, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (entry->path().filename() != kFolderRoot || !is_there(part + "/" + kMarker)) return false;
  }
  return !error;
}

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw TransferFileError(messages::kUnwritableTarget(path, error.message()));
}

}  // namespace

AwsExportFolder::AwsExportFolder(std::string path)
    : path_(without_slash(std::move(path))),
      part_(path_ + ".part"),
      name_(new_export_name()),
      start_time_(api::time_text(SystemClock::now())) {
  if (is_there(path_)) throw TransferFileError(messages::kFolderExists(path_));
  if (is_there(part_) && !is_left_over(part_)) {
    throw TransferFileError(messages::kFolderExists(part_));
  }
  descriptor_ = open_part(part_, O_RDONLY | O_DIRECTORY);
  try {
    std::error_code error;
    fs::remove_all(part_ + "/" + kFolderRoot, error);
    if (error) throw TransferFileError(messages::kUnwritableTarget(part_, error.message()));
    make_folder(part_ + "/" + kFolderRoot);
    TargetFile(part_ + "/" + kMarker, false).keep();
    make_folder(part_ + "/" + kFolderRoot + "/" + name_ + "/data");
    write_aws_file(part_ + "/" + folder_key(), "_started", {});
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

AwsExportFolder::~AwsExportFolder() {
  std::error_code ignored;
  if (!written_) {
    fs::remove_all(part_ + "/" + kFolderRoot, ignored);
    ::rmdir(part_.c_str());
  }
  ::close(descriptor_);
}

std::string AwsExportFolder::new_data_path() const {
  return part_ + "/" + folder_key() + "/data/" + aws_data_file_name();
}

std::string AwsExportFolder::folder_key() const { return std::string(kFolderRoot) + "/" + name_; }

void AwsExportFolder::keep(const AwsTable& table, const std::vector<AwsDataFile>& files) {
  const std::string folder = part_ + "/" + folder_key();
  write_aws_manifest(folder, kAwsFilesManifest, aws_files_manifest(files, folder_key() + "/data"));
  // The export is in no bucket yet.
  AwsSummary summary;
  if (!table.arn.empty()) summary.export_arn = table.arn + "/export/" + name_;
  summary.table_arn = table.arn;
  summary.table_id = table.id;
  summary.start_time = summary.export_time = start_time_;
  summary.end_time = api::time_text(SystemClock::now());
  write_aws_manifest(folder, kAwsSummary, aws_summary_manifest(summary, files, folder_key()));
  if (::unlink((part_ + "/" + kMarker).c_str()) != 0) {
    throw TransferFileError(
        messages::kUnwritableTarget(part_, std::generic_category().message(errno)));
  }
  const std::string above = part_ + "/" + kFolderRoot + "/" + name_;
  for (const std::string& entry : {above + "/data", above, part_ + "/" + kFolderRoot}) {
    sync_folder_above(entry);
  }
  written_ = true;
  name_part(part_, path_, false);
}

}  // namespace magneto::server::formats
