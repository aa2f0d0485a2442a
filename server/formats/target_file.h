#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "server/formats/byte_source.h"

namespace magneto::server::formats {

// A file that appears complete or not at all: it is written as "<path>.part", and keep() renames it
// to <path>. "-" is standard output. Throws TransferFileError if the file cannot be written.
class TargetFile {
 public:
  // Replaces the remains "<path>.part" of a killed process; refuses a part that another process is
  // writing. `force`: an existing file may be replaced at the end. Without it, an existing file is
  // refused here and again in keep(). `part`: a name to use instead of "<path>.part" (part_name.h).
  TargetFile(std::string path, bool force, std::string part = {});
  // Removes the file unless it was kept.
  ~TargetFile();
  TargetFile(const TargetFile&) = delete;
  TargetFile& operator=(const TargetFile&) = delete;

  // Appends the bytes without a gap inside; pieces of several threads follow each other.
  // Thread-safe.
  void append(std::string_view bytes);
  // Call this once, after all appends. The file is then on the disk under its name.
  void keep();

  std::uint64_t size() const { return size_; }
  // The path where the appended bytes can be read before keep(); empty for standard output.
  const std::string& part() const { return part_; }

 private:
  void fail(const std::string& path, int error) const;

  const std::string path_;
  const std::string part_;  // empty for standard output
  const bool force_;
  int descriptor_ = -1;
  std::mutex mutex_;  // guards writes and size_
  std::uint64_t size_ = 0;
};

}  // namespace magneto::server::formats
