#include "server/formats/target_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "server/formats/messages.h"
#include "server/formats/part_name.h"

namespace magneto::server::formats {
namespace {

namespace fs = std::filesystem;

// Whether the path is a regular file, which may be replaced on request. Devices, folders and links
// are never replaced.
bool is_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(fs::symlink_status(path, ignored));
}

}  // namespace

TargetFile::TargetFile(std::string path, bool force, std::string part)
    : path_(std::move(path)),
      part_(path_ == "-" || !part.empty() ? std::move(part) : path_ + ".part"),
      force_(force) {
  if (part_.empty()) {
    descriptor_ = ::dup(STDOUT_FILENO);
    if (descriptor_ < 0) fail(path_, errno);
    return;
  }
  if (is_there(path_)) {
    if (!force_) throw TransferFileError(messages::kTargetExists(path_));
    if (!is_file(path_)) {
      throw TransferFileError(messages::kUnwritableTarget(path_, messages::kNoFile));
    }
  }
  descriptor_ = open_part(part_, O_WRONLY);
  if (::ftruncate(descriptor_, 0) == 0) return;
  const int error = errno;
  ::close(std::exchange(descriptor_, -1));
  fail(part_, error);
}

TargetFile::~TargetFile() {
  if (descriptor_ < 0) return;
  // Unlink it while the lock is held: no other process can own it yet.
  if (!part_.empty()) ::unlink(part_.c_str());
  ::close(descriptor_);
}

void TargetFile::fail(const std::string& path, int error) const {
  throw TransferFileError(
      messages::kUnwritableTarget(path, std::generic_category().message(error)));
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
  name_part(part_, path_, force_);
  ::close(std::exchange(descriptor_, -1));
}

}  // namespace magneto::server::formats
