#include "tests/support/full_disk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <mutex>
#include <string>
#include <string_view>

namespace {

std::mutex mutex;  // guards the variables below
const std::string* full_directory = nullptr;
off_t free_bytes = 0;  // of files removed since

bool is_full(std::string_view path) {
  return full_directory != nullptr && path.starts_with(*full_directory + "/");
}

std::string path_of(int descriptor) {
  std::array<char, 4'096> path;
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t size = ::readlink(link.c_str(), path.data(), path.size());
  return {path.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

// Reserves space on the disk for the bytes up to `end`. Returns false if there is none.
bool take_place(int descriptor, off_t end) {
  struct stat status = {};
  // Signal handlers also write, to pipes. They must neither wait nor allocate.
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return true;
  const std::lock_guard lock(mutex);
  if (!is_full(path_of(descriptor))) return true;
  const off_t missing = std::max<off_t>(end - status.st_blocks * 512, 0);
  if (missing > free_bytes) return false;
  free_bytes -= missing;
  return true;
}

void set_full_directory(const std::string* directory) {
  const std::lock_guard lock(mutex);
  full_directory = directory;
  free_bytes = 0;
}

}  // namespace

extern "C" ssize_t write(int descriptor, const void* data, size_t size) {
  const off_t begin = std::max<off_t>(::lseek(descriptor, 0, SEEK_CUR), 0);
  if (!take_place(descriptor, begin + static_cast<off_t>(size))) {
    errno = ENOSPC;
    return -1;
  }
  return syscall(SYS_write, descriptor, data, size);
}

extern "C" int fallocate(int descriptor, int mode, off_t offset, off_t size) {
  if ((mode & FALLOC_FL_PUNCH_HOLE) == 0 && !take_place(descriptor, offset + size)) {
    errno = ENOSPC;
    return -1;
  }
  return static_cast<int>(syscall(SYS_fallocate, descriptor, mode, offset, size));
}

extern "C" int unlink(const char* path) noexcept {
  struct stat status = {};
  const bool is_there = ::lstat(path, &status) == 0;
  const int result = static_cast<int>(syscall(SYS_unlinkat, AT_FDCWD, path, 0));
  const std::lock_guard lock(mutex);
  if (result == 0 && is_there && is_full(path)) free_bytes += status.st_blocks * 512;
  return result;
}

namespace magneto::storage {

FullDisk::FullDisk(const std::string& directory) : directory_(directory) {
  set_full_directory(&directory_);
}

FullDisk::~FullDisk() { set_full_directory(nullptr); }

}  // namespace magneto::storage
