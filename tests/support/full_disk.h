#pragma once

#include <string>

namespace magneto::storage {

// Makes the disk full for one directory and all below it until destroyed: what has its place on the
// disk already can be written again, and what was removed gives its place to other bytes. The C
// library's functions are replaced in the test
// programs. One at a time.
class FullDisk {
 public:
  explicit FullDisk(const std::string& directory);
  ~FullDisk();
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  const std::string directory_;
};

}  // namespace magneto::storage
