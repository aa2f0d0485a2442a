#pragma once

#include <string>

namespace magneto::storage {

// Makes the disk full for one directory and everything below it, until the object is destroyed.
// Blocks that are already on the disk can be written again, and removed files free their space for
// other bytes. It replaces functions of the C library in the test programs. Use one object at a
// time.
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
