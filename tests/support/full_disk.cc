#include "tests/support/full_disk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <mutex>
#include <shared_mutex>
#include <string_view>

namespace {

std::shared_mutex mutex;  // guards full_directory
const std::string* full_directory = nullptr;

bool lies_in_full_directory(int descriptor) {
  const std::shared_lock lock(mutex);
  if (full_directory == nullptr) return false;
  std::array<char, 4'096> path;
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t size = ::readlink(link.c_str(), path.data(), path.size());
  return size > 0 && std::string_view(path.data(), static_cast<std::size_t>(size))
                         .starts_with(*full_directory + "/");
}

// Whether bytes up to `end` have their place on the disk.
bool is_allocated(int descriptor, off_t end) {
  struct stat status = {};
  return ::fstat(descriptor, &status) == 0 && end <= status.st_blocks * 512;
}

void set_full_directory(const std::string* directory) {
  const std::unique_lock lock(mutex);
  full_directory = directory;
}

}  // namespace

extern "C" ssize_t write(int descriptor, const void* data, size_t size) {
  if (lies_in_full_directory(descriptor) &&
      !is_allocated(descriptor, ::lseek(descriptor, 0, SEEK_CUR) + static_cast<off_t>(size))) {
    errno = ENOSPC;
    return -1;
  }
  return syscall(SYS_write, descriptor, data, size);
}

extern "C" int fallocate(int descriptor, int mode, off_t offset, off_t size) {
  if ((mode & FALLOC_FL_PUNCH_HOLE) == 0 && lies_in_full_directory(descriptor) &&
      !is_allocated(descriptor, offset + size)) {
    errno = ENOSPC;
    return -1;
  }
  return static_cast<int>(syscall(SYS_fallocate, descriptor, mode, offset, size));
}

namespace magneto::storage {

FullDisk::FullDisk(const std::string& directory) : directory_(directory) {
  set_full_directory(&directory_);
}

FullDisk::~FullDisk() { set_full_directory(nullptr); }

}  // namespace magneto::storage
