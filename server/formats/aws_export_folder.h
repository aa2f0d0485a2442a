#pragma once

#include <string>
#include <vector>

#include "server/formats/aws_export.h"

namespace magneto::server::formats {

// What the summary of an export tells of its table; each part empty when it is not known.
struct AwsTable {
  std::string arn;
  std::string id;
};

// An export in AWS's format (aws_export.h) that is being written into the folder "<path>.part", which
// keep() brings under its name. What cannot be written throws TransferFileError.
class AwsExportFolder {
 public:
  // Replaces what a process that was killed left; a folder that another process is writing, and
  // anything that has the name already, is refused.
  explicit AwsExportFolder(std::string path);
  // Removes what was not written to its end.
  ~AwsExportFolder();
  AwsExportFolder(const AwsExportFolder&) = delete;
  AwsExportFolder& operator=(const AwsExportFolder&) = delete;

  // Of a new data file, which whoever asks makes.
  std::string new_data_path() const;
  // Once, when all data files are written: writes the manifests, and all lies on the disk then, under
  // its name.
  void keep(const AwsTable& table, const std::vector<AwsDataFile>& files);

 private:
  std::string folder_key() const;

  const std::string path_;
  const std::string part_;
  const std::string name_;        // of the export: "01693685827463-2d8752fd"
  const std::string start_time_;  // "2026-01-01T00:00:00.000Z"
  int descriptor_ = -1;           // has the lock
  bool written_ = false;
};

}  // namespace magneto::server::formats
