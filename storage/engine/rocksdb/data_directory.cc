#include "storage/engine/rocksdb/data_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <exception>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "storage/engine/engine.h"
#include "storage/engine/rocksdb/store_files.h"
#include "storage/engine/store_format.h"
#include "storage/messages/directory_messages.h"

namespace magneto::storage {

namespace {

constexpr std::string_view kMarker = "MAGNETO";
constexpr std::string_view kUnfinishedMarker = "MAGNETO.new";
constexpr std::string_view kLostAndFound = "lost+found";  // created by mkfs in a new volume
constexpr std::string_view kMarkerStart = "magneto data directory\nformat ";
constexpr std::size_t kLongestMarker = 4'096;
constexpr std::string_view kCurrent = "current";
constexpr std::string_view kNote = "note";
constexpr std::size_t kLongestNote = 64 << 10;

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void fail_file(std::string_view action, const std::string& path, int error) {
  throw EngineError(messages::file_failure(action, path, reason(error)));
}

[[noreturn]] void fail_directory(std::string_view action, const std::string& path, int error) {
  throw EngineError(messages::directory_failure(action, path, reason(error)));
}

// Like fail_directory(), for a path that may belong to another user. A folder mounted into a
// container often does, and there users are known only by number.
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

// The format that a marker's text names; -1 if the text is no marker.
int format_of(std::string_view text) {
  if (!text.starts_with(kMarkerStart) || !text.ends_with('\n')) return -1;
  text.remove_prefix(kMarkerStart.size());
  int format = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size() - 1, format);
  if (error != std::errc() || end != text.data() + text.size() - 1 || format < 1) return -1;
  return format;
}

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
  return number;
}

void remove_all(const std::string& path) noexcept {
  std::error_code unimportant;
  std::filesystem::remove_all(path, unimportant);
}

// Empty if the note cannot be read: one bad snapshot must not block the others.
std::string read_note(const std::string& path) {
  try {
    return read_small_file(path, kLongestNote);
  } catch (const EngineError&) {
    return {};
  }
}

// The names in a folder; none if the folder is missing.
std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  if (error == std::errc::no_such_file_or_directory) return names;
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  if (error) throw EngineError(messages::directory_not_listed(folder, error.message()));
  return names;
}

void make_folder(const std::string& folder) {
  if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    fail_file("create", folder, errno);
  }
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
    require_format(StoreFormat::kLeast);
    find_current();
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

bool is_data_directory(const std::string& directory) {
  std::error_code unknown;
  return std::filesystem::exists(directory + "/" + std::string(kMarker), unknown);
}

// Only the owner gets access to the directory itself; its parents get the process's default mode.
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
  // Other failures mean that the filesystem cannot lock directories (NFS). RocksDB's own lock on a
  // file protects the directory then.
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
  if (format > StoreFormat::kNewest) {
    throw EngineError(messages::newer_directory(path_, format, StoreFormat::kNewest));
  }
  return format;
}

void DataDirectory::check_nothing_foreign() const {
  std::error_code error;
  std::filesystem::directory_iterator entry(path_, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    // For example .gitkeep.
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
  replace_file(path_ + "/" + std::string(kMarker),
               std::string(kMarkerStart) + std::to_string(format) + "\n");
}

void DataDirectory::find_current() {
  const std::string path = path_ + "/" + std::string(kCurrent);
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0) {
    std::string text = read_small_file(path, kLongestMarker);
    if (text.ends_with('\n')) text.pop_back();
    const std::optional<std::uint64_t> number = number_of(text);
    if (!number) throw EngineError(messages::damaged_directory(path_, path));
    current_ = *number;
    const std::string engine = place().engine_path();
    if (::stat(engine.c_str(), &status) != 0) {
      throw EngineError(messages::missing_in_directory(path_, engine));
    }
  } else if (errno != ENOENT) {
    fail_file("open", path, errno);
  } else if (format_ >= StoreFormat::kOfStores && ::access(own_current().c_str(), F_OK) != 0) {
    throw EngineError(messages::missing_in_directory(path_, path));
  }
  last_store_ = current_;
}

// The first file that RocksDB reads of the store in the directory itself.
std::string DataDirectory::own_current() const {
  return StorePaths(path_).engine_path() + "/CURRENT";
}

void DataDirectory::remove_leftovers() const {
  const std::lock_guard lock(stores_mutex_);
  for (const std::string& name : names_in(folder_of_stores())) {
    const std::optional<std::uint64_t> number = number_of(name);
    if (number && number != current_ && std::to_string(*number) == name) {
      remove_all(folder_of_stores() + "/" + name);
    }
  }
  if (current_ != 0) remove_store(StorePaths(path_));
  remove_all(path_ + "/" + std::string(kUnfinishedMarker));
  remove_all(path_ + "/" + std::string(kCurrent) + ".new");
}

StorePaths DataDirectory::place() const {
  const std::lock_guard lock(stores_mutex_);
  return StorePaths(current_ == 0 ? path_ : folder_of_stores() + "/" + std::to_string(current_));
}

// RocksDB writes tables and logs only after CURRENT.
void DataDirectory::check_not_headless(const StorePaths& place) const {
  const std::filesystem::path path = place.engine_path();
  if (!std::filesystem::exists(path) || std::filesystem::exists(path / "CURRENT")) return;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".sst" || extension == ".log") {
      throw EngineError(messages::missing_in_directory(path_, (path / "CURRENT").string()));
    }
  }
}

StorePaths DataDirectory::next_place() {
  const std::lock_guard lock(stores_mutex_);
  const std::string folder = folder_of_stores() + "/" + std::to_string(++last_store_);
  remove_all(folder);
  return StorePaths(folder);
}

StorePaths DataDirectory::make_place() {
  StorePaths place = next_place();
  make_folder(folder_of_stores());
  make_folder(place.root());
  return place;
}

void DataDirectory::make_current(const StorePaths& place) {
  require_format(StoreFormat::kOfStores);
  const std::string name = std::filesystem::path(place.root()).filename().string();
  const std::lock_guard lock(stores_mutex_);
  sync_folder(place.root());
  sync_folder(folder_of_stores());
  const std::string path = path_ + "/" + std::string(kCurrent);
  try {
    replace_file(path, name + "\n");
  } catch (const EngineError&) {
    // The next start follows the file's contents.
    if (::access(path.c_str(), F_OK) != 0 || read_small_file(path, kLongestMarker) != name + "\n") {
      throw;
    }
  }
  current_ = number_of(name).value();
}

void DataDirectory::clean_up(const StorePaths& place) noexcept {
  try {
    if (!is_current(place)) remove_store(place);
  } catch (const std::exception&) {
    // The next start removes it.
    return;
  }
}

// The directory itself also holds things other than the store.
void DataDirectory::remove_store(const StorePaths& place) const {
  if (place.root() != path_) return remove_all(place.root());
  remove_all(place.engine_path());
  remove_all(place.recovery_manifest_path());
  remove_all(place.reserve_path());
  remove_all(place.computed_path());
  const std::string segments = std::filesystem::path(place.segment_path()).filename().string();
  for (const std::string& name : names_in(path_)) {
    if (name.starts_with(segments)) remove_all(path_ + "/" + name);
  }
}

void DataDirectory::save(std::string_view name, std::string_view note,
                         const std::function<void(const std::string&)>& fill) {
  const std::string saved = saved_path(name);
  const StorePaths unfinished = make_place();
  try {
    fill(unfinished.engine_path());
    replace_file(unfinished.root() + "/" + std::string(kNote), std::string(note));
    const std::lock_guard lock(stores_mutex_);
    make_folder(folder_of_snapshots());
    sync_folder(path_);
    if (::rename(unfinished.root().c_str(), saved.c_str()) != 0) {
      if (errno == ENOTEMPTY || errno == EEXIST) throw EngineError(messages::saved_already(saved));
      fail_file("create", saved, errno);
    }
    try {
      sync_folder(folder_of_snapshots());
    } catch (...) {
      static_cast<void>(::rename(saved.c_str(), unfinished.root().c_str()));
      throw;
    }
  } catch (...) {
    remove_all(unfinished.root());
    throw;
  }
}

std::vector<SavedStores::Saved> DataDirectory::saved() const {
  std::vector<SavedStores::Saved> found;
  const std::lock_guard lock(stores_mutex_);
  for (std::string& name : names_in(folder_of_snapshots())) {
    const std::string path = saved_path(name) + "/" + std::string(kNote);
    if (::access(path.c_str(), F_OK) != 0) continue;  // not ours
    found.push_back({std::move(name), read_note(path)});
  }
  return found;
}

// Removes the name in one step, the files later. Creates nothing, since it is called to free space.
void DataDirectory::remove_saved(std::string_view name) {
  const StorePaths trash = next_place();
  const std::string saved = saved_path(name);
  if (::rename(saved.c_str(), trash.root().c_str()) != 0) {
    if (errno == ENOENT) return;
    fail_file("remove", saved, errno);
  }
  const absl::Cleanup empty = [&] { remove_all(trash.root()); };
  sync_folder(folder_of_snapshots());
}

}  // namespace magneto::storage
