#include "storage/engine/rocksdb/data_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "storage/engine/engine.h"
#include "storage/messages/directory_messages.h"

namespace magneto::storage {

namespace {

constexpr std::string_view kMarker = "MAGNETO";
constexpr std::string_view kUnfinishedMarker = "MAGNETO.new";
constexpr std::string_view kLostAndFound = "lost+found";  // mkfs puts it into a new volume
constexpr std::string_view kMarkerStart = "magneto data directory\nformat ";
constexpr std::size_t kLongestMarker = 4'096;

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void fail_file(std::string_view action, const std::string& path, int error) {
  throw EngineError(messages::file_failure(action, path, reason(error)));
}

[[noreturn]] void fail_directory(std::string_view action, const std::string& path, int error) {
  throw EngineError(messages::directory_failure(action, path, reason(error)));
}

// As `fail_directory`, about one that may be another user's: a folder mounted into a container often
// is, and there only numbers say whose.
[[noreturn]] void fail_access(std::string_view action, const std::string& path, int error) {
  struct stat status = {};
  if ((error != EACCES && error != EPERM) || ::stat(path.c_str(), &status) != 0 ||
      status.st_uid == ::geteuid()) {
    fail_directory(action, path, error);
  }
  throw EngineError(
      messages::denied_directory(action, path, reason(error), ::geteuid(), status.st_uid));
}

class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return descriptor_; }

 private:
  const int descriptor_;
};

// The format a marker's text names; -1 when it is none.
int format_of(std::string_view text) {
  if (!text.starts_with(kMarkerStart) || !text.ends_with('\n')) return -1;
  text.remove_prefix(kMarkerStart.size());
  int format = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size() - 1, format);
  if (error != std::errc() || end != text.data() + text.size() - 1 || format < 1) return -1;
  return format;
}

std::string read_all(int descriptor, const std::string& path) {
  std::string text(kLongestMarker, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::read(descriptor, text.data() + size, text.size() - size);
    if (got < 0) fail_file("read", path, errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  return text;
}

}  // namespace

DataDirectory::DataDirectory(std::string path) : path_(std::move(path)) {
  create_if_absent();
  lock();
  try {
    format_ = read_marker();
    if (format_ == 0) check_nothing_foreign();
    check_writable();
    require_format(kFormat);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

DataDirectory::~DataDirectory() { ::close(descriptor_); }

bool is_open_to_others(const std::string& directory) {
  struct stat status = {};
  if (::stat(directory.c_str(), &status) != 0) return false;
  const mode_t others = status.st_gid == 0 ? S_IRWXO : S_IRWXG | S_IRWXO;
  return (status.st_mode & others) != 0;
}

// The directory itself is for its owner alone; its parents are as the process makes directories.
void DataDirectory::create_if_absent() const {
  std::string_view path = path_;
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!parent.empty()) std::filesystem::create_directories(parent, error);
  if (!error && ::mkdir(path_.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    error.assign(errno, std::generic_category());
  }
  struct stat status = {};
  if (::stat(path_.c_str(), &status) == 0 && !S_ISDIR(status.st_mode)) {
    throw EngineError(messages::not_a_directory(path_));
  }
  if (error) fail_directory("create", path_, error.value());
}

void DataDirectory::lock() {
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) fail_access("open", path_, errno);
  // Other failures: a filesystem that cannot lock directories (NFS). RocksDB's own lock on a file
  // stands there.
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(descriptor_);
    throw EngineError(messages::directory_in_use(path_));
  }
}

int DataDirectory::read_marker() const {
  const std::string path = path_ + "/" + std::string(kMarker);
  const Descriptor marker(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (marker.get() < 0) {
    if (errno == ENOENT) return 0;
    fail_file("open", path, errno);
  }
  const int format = format_of(read_all(marker.get(), path));
  if (format < 0) throw EngineError(messages::damaged_directory(path_, path));
  if (format > kNewestFormat) {
    throw EngineError(messages::newer_directory(path_, format, kNewestFormat));
  }
  return format;
}

void DataDirectory::check_nothing_foreign() const {
  std::error_code error;
  std::filesystem::directory_iterator entry(path_, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    // As .gitkeep is.
    const bool is_hidden = name.starts_with('.');
    if (name != kUnfinishedMarker && name != kLostAndFound && !is_hidden) {
      throw EngineError(messages::foreign_directory(path_, name));
    }
  }
  if (error) fail_directory("read", path_, error.value());
}

void DataDirectory::check_writable() const {
  if (::faccessat(descriptor_, ".", W_OK | X_OK, AT_EACCESS) != 0) {
    fail_access(messages::kWriteTo, path_, errno);
  }
}

void DataDirectory::require_format(int format) {
  const std::lock_guard lock(format_mutex_);
  if (format_ >= format) return;
  write_marker(format);
  format_ = format;
}

void DataDirectory::write_marker(int format) const {
  const std::string text = std::string(kMarkerStart) + std::to_string(format) + "\n";
  const std::string unfinished = path_ + "/" + std::string(kUnfinishedMarker);
  {
    const Descriptor file(
        ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (file.get() < 0) fail_file("create", unfinished, errno);
    const ssize_t written = ::write(file.get(), text.data(), text.size());
    if (written != static_cast<ssize_t>(text.size())) {
      fail_file("write", unfinished, written < 0 ? errno : ENOSPC);
    }
    if (::fsync(file.get()) != 0) fail_file("write", unfinished, errno);
  }
  const std::string marker = path_ + "/" + std::string(kMarker);
  if (::rename(unfinished.c_str(), marker.c_str()) != 0) fail_file("create", marker, errno);
  if (::fsync(descriptor_) != 0) fail_directory("write", path_, errno);
}

}  // namespace magneto::storage
