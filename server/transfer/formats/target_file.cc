#include "server/transfer/formats/target_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "server/transfer/formats/messages.h"

namespace magneto::server {
namespace {

namespace fs = std::filesystem;

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

// What may be replaced, if asked for: no device, folder or link.
bool is_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(fs::symlink_status(path, ignored));
}

// Whether the open file is still the one of that name.
bool has_name(int descriptor, const std::string& path) {
  struct stat open{};
  struct stat named{};
  return ::fstat(descriptor, &open) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

// What lasts is the entry of the folder.
void sync_folder(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  const int descriptor =
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

TargetFile::TargetFile(std::string path, bool force)
    : path_(std::move(path)), part_(path_ == "-" ? "" : path_ + ".part"), force_(force) {
  if (part_.empty()) {
    descriptor_ = ::dup(STDOUT_FILENO);
    if (descriptor_ < 0) fail(path_, errno);
    return;
  }
  if (exists(path_)) {
    if (!force_) throw TransferFileError(messages::target_exists(path_));
    if (!is_file(path_)) {
      throw TransferFileError(messages::unwritable_target(path_, messages::kNoFile));
    }
  }
  open_part();
}

// The lock ends with the process. Who had it may have renamed or removed the file meanwhile.
void TargetFile::open_part() {
  while (true) {
    descriptor_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor_ < 0) fail(part_, errno);
    const bool is_locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
    const bool is_others = !is_locked && errno == EWOULDBLOCK;
    if (!is_others && has_name(descriptor_, part_)) break;
    ::close(std::exchange(descriptor_, -1));
    if (is_others) throw TransferFileError(messages::target_in_use(part_));
  }
  if (::ftruncate(descriptor_, 0) == 0) return;
  const int error = errno;
  ::close(std::exchange(descriptor_, -1));
  fail(part_, error);
}

TargetFile::~TargetFile() {
  if (descriptor_ < 0) return;
  // While it is locked, so that it is nobody else's.
  if (!part_.empty()) ::unlink(part_.c_str());
  ::close(descriptor_);
}

void TargetFile::fail(const std::string& path, int error) const {
  throw TransferFileError(
      messages::unwritable_target(path, std::generic_category().message(error)));
}

void TargetFile::append(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(part_.empty() ? path_ : part_, errno);
    size_ += static_cast<std::uint64_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void TargetFile::keep() {
  if (part_.empty()) return;
  if (::fsync(descriptor_) != 0) fail(part_, errno);
  const unsigned flags = force_ ? 0 : RENAME_NOREPLACE;
  int result = ::renameat2(AT_FDCWD, part_.c_str(), AT_FDCWD, path_.c_str(), flags);
  // File systems that cannot refuse to replace.
  if (result != 0 && errno == EINVAL && !exists(path_)) {
    result = ::rename(part_.c_str(), path_.c_str());
  }
  if (result != 0 && errno == EEXIST) throw TransferFileError(messages::target_exists(path_));
  if (result != 0) fail(path_, errno);
  ::close(std::exchange(descriptor_, -1));
  sync_folder(path_);
}

}  // namespace magneto::server
