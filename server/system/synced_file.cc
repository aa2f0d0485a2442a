#include "server/system/synced_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "server/system/descriptor.h"

namespace magneto::server::system {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_file(const std::string& path, int error) {
  throw fs::filesystem_error("not written", path, std::error_code(error, std::generic_category()));
}

// A file or folder that must reach the disk.
class Synced {
 public:
  Synced(std::string path, int flags)
      : path_(std::move(path)),
        descriptor_(::open(path_.c_str(), flags | O_CLOEXEC, S_IRUSR | S_IWUSR)) {
    if (descriptor_.get() < 0) fail_file(path_, errno);
  }

  void write(const std::string& text) const {
    const ssize_t written = ::write(descriptor_.get(), text.data(), text.size());
    if (written != static_cast<ssize_t>(text.size()))
      fail_file(path_, written < 0 ? errno : ENOSPC);
  }
  void sync() const {
    if (::fsync(descriptor_.get()) != 0) fail_file(path_, errno);
  }
  void sync_disk() const {
    if (::syncfs(descriptor_.get()) != 0) fail_file(path_, errno);
  }

 private:
  const std::string path_;
  const Descriptor descriptor_;
};

// Syncs the folder's entries; a sync of a file does not include its entry.
void sync_folder_of(const std::string& path) {
  Synced(fs::path(path).parent_path().string(), O_RDONLY | O_DIRECTORY).sync();
}

}  // namespace

void write_synced(const std::string& path, const std::string& text) {
  const std::string draft = path + ".new";
  {
    const Synced file(draft, O_WRONLY | O_CREAT | O_TRUNC);
    file.write(text);
    file.sync();
  }
  rename_synced(draft, path);
}

void rename_synced(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) fail_file(to, errno);
  sync_folder_of(to);
}

void remove_synced(const std::string& path) {
  if (::unlink(path.c_str()) != 0) {
    if (errno == ENOENT) return;
    fail_file(path, errno);
  }
  sync_folder_of(path);
}

void sync_disk(const std::string& folder) { Synced(folder, O_RDONLY | O_DIRECTORY).sync_disk(); }

}  // namespace magneto::server::system
