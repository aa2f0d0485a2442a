#include "server/formats/part_name.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "server/formats/byte_source.h"
#include "server/formats/messages.h"

namespace magneto::server::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHiddenEnd = ".magneto-unfinished";

[[noreturn]] void fail_name(const std::string& path, int error) {
  throw TransferFileError(
      messages::kUnwritableTarget(path, std::generic_category().message(error)));
}

// Whether the open file is still the file at `path`.
bool has_name(int descriptor, const std::string& path) {
  struct stat open {};
  struct stat named {};
  return ::fstat(descriptor, &open) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

}  // namespace

bool is_there(const std::string& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

std::string hidden_part(const std::string& path) {
  std::string part = path;
  part.insert(path.rfind('/') + 1, 1, '.');  // npos + 1 is 0
  return part.append(kHiddenEnd);
}

bool is_hidden_part(std::string_view name) {
  return name.starts_with('.') && name.ends_with(kHiddenEnd);
}

// The process that had the lock may have renamed or removed the file after it was opened here. So
// the function checks the name after locking.
int open_part(const std::string& part, int flags) {
  while (true) {
    const bool is_folder = (flags & O_DIRECTORY) != 0;
    if (is_folder && ::mkdir(part.c_str(), 0777) != 0 && errno != EEXIST) fail_name(part, errno);
    const int create = is_folder ? 0 : O_CREAT;
    const int descriptor = ::open(part.c_str(), flags | create | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor < 0) fail_name(part, errno);
    const bool is_locked = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    const bool is_others = !is_locked && errno == EWOULDBLOCK;
    if (!is_others && has_name(descriptor, part)) return descriptor;
    ::close(descriptor);
    if (is_others) throw TransferFileError(messages::kTargetInUse(part));
  }
}

void name_part(const std::string& part, const std::string& path, bool replace) {
  const unsigned flags = replace ? 0 : RENAME_NOREPLACE;
  int result = ::renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, path.c_str(), flags);
  // For file systems that do not support RENAME_NOREPLACE.
  if (result != 0 && errno == EINVAL && !is_there(path)) {
    result = ::rename(part.c_str(), path.c_str());
  }
  if (result != 0 && errno == EEXIST) throw TransferFileError(messages::kTargetExists(path));
  if (result != 0) fail_name(path, errno);
  sync_folder_above(path);
}

void sync_folder_above(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  const int descriptor =
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace magneto::server::formats
