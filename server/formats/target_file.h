#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "server/formats/byte_source.h"

namespace magneto::server::formats {

// A file that comes to be whole or not at all: it is written as "<path>.part", which keep() brings
// under its name. "-" is standard output. What cannot be written throws TransferFileError.
class TargetFile {
 public:
  // Replaces what a process that was killed left as "<path>.part"; one that another process is
  // writing is refused. `force`: an existing file may be replaced too, at the end; else it is refused
  // here, and again there. `part`: another name than "<path>.part" (part_name.h).
  TargetFile(std::string path, bool force, std::string part = {});
  // Removes what was not kept.
  ~TargetFile();
  TargetFile(const TargetFile&) = delete;
  TargetFile& operator=(const TargetFile&) = delete;

  // Pieces of several threads lie one behind the other, each whole. Thread-safe.
  void append(std::string_view bytes);
  // Once, when all was appended: it lies on the disk then, under its name.
  void keep();

  std::uint64_t size() const { return size_; }
  // Where what was appended can be read meanwhile; empty for standard output.
  const std::string& part() const { return part_; }

 private:
  void fail(const std::string& path, int error) const;

  const std::string path_;
  const std::string part_;  // empty: standard output
  const bool force_;
  int descriptor_ = -1;
  std::mutex mutex_;  // guards writes, and size_
  std::uint64_t size_ = 0;
};

}  // namespace magneto::server::formats
