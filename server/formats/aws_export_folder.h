#pragma once

#include <string>
#include <vector>

#include "server/formats/aws_export.h"

namespace magneto::server::formats {

// The summary's facts about the exported table; unknown parts are empty.
struct AwsTable {
  std::string arn;
  std::string id;
};

// Writes an export in AWS's format (aws_export.h) into the folder "<path>.part"; keep() renames it
// to <path>. Throws TransferFileError if a file cannot be written.
class AwsExportFolder {
 public:
  // Replaces the remains of a killed process. Refuses to start if another process is writing the
  // folder, or if <path> exists already.
  explicit AwsExportFolder(std::string path);
  // Removes an export that keep() has not completed.
  ~AwsExportFolder();
  AwsExportFolder(const AwsExportFolder&) = delete;
  AwsExportFolder& operator=(const AwsExportFolder&) = delete;

  // The path for a new data file, which the caller creates.
  std::string new_data_path() const;
  // Call this once, when all data files are written. Writes the manifests, syncs everything to the
  // disk and gives the folder its name.
  void keep(const AwsTable& table, const std::vector<AwsDataFile>& files);

 private:
  std::string folder_key() const;

  const std::string path_;
  const std::string part_;
  const std::string name_;        // the export's, "01693685827463-2d8752fd"
  const std::string start_time_;  // "2026-01-01T00:00:00.000Z"
  int descriptor_ = -1;           // holds the lock
  bool written_ = false;
};

}  // namespace magneto::server::formats
