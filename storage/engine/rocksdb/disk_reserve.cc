#include "storage/engine/rocksdb/disk_reserve.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace magneto::storage {

DiskReserve::DiskReserve(std::string path, std::uint64_t bytes)
    : path_(std::move(path)), bytes_(bytes) {
  ::unlink(path_.c_str());
}

DiskReserve::~DiskReserve() { ::unlink(path_.c_str()); }

bool DiskReserve::allocate() {
  const std::lock_guard lock(mutex_);
  if (is_held_) return true;
  const int file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return false;
  const auto size = static_cast<off_t>(bytes_);
  is_held_ = ::fallocate(file, FALLOC_FL_KEEP_SIZE, 0, size) == 0 || errno == EOPNOTSUPP;
  ::close(file);
  // Removes the part that was allocated before the disk was full.
  if (!is_held_) ::unlink(path_.c_str());
  return is_held_;
}

void DiskReserve::release() {
  const std::lock_guard lock(mutex_);
  ::unlink(path_.c_str());
  is_held_ = false;
}

}  // namespace magneto::storage
