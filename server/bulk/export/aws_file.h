#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "server/bulk/export/piece_writer.h"
#include "server/formats/aws_export.h"

namespace magneto::server::bulk {

// A data file of an export in AWS's format. One worker writes it line by line.
class AwsFile {
 public:
  using Done = std::function<void(formats::AwsDataFile)>;

  // `done` receives the complete file, on the worker's thread.
  AwsFile(const std::string& path, formats::AwsFormat format, Done done);

  // Append a line with its end here, then call end_line().
  std::string& text() { return pieces_.text(); }
  void end_line() {
    pieces_.end_record();
    ++lines_;
  }
  void finish();
  std::uint64_t size() const { return file_.size(); }  // roughly: some text is not written yet

 private:
  const std::string path_;
  const formats::AwsFormat format_;
  const Done done_;
  formats::TargetFile file_;
  formats::Md5 md5_;
  PieceWriter pieces_;
  std::uint64_t lines_ = 0;
};

}  // namespace magneto::server::bulk
