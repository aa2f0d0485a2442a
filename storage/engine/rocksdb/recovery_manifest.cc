#include "storage/engine/rocksdb/recovery_manifest.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "storage/engine/engine.h"
#include "storage/messages/directory_messages.h"

namespace magneto::storage {

namespace {

std::string name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

constexpr std::string_view kSequence = "sequence";

bool is_log(std::string_view name) { return name.ends_with(".log"); }

std::string line_of(std::string_view name, std::uint64_t number) {
  return std::string(name) + " " + std::to_string(number) + "\n";
}

}  // namespace

RecoveryManifest::Entries RecoveryManifest::read(int descriptor) {
  Entries found;
  std::string text(kSize, '\0');
  const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
  if (size != static_cast<ssize_t>(kSize)) return found;
  std::istringstream lines(text);
  std::string name;
  std::uint64_t number = 0;
  while (lines >> name >> number) {
    if (name == kSequence) {
      found.sequence = number;
    } else {
      found.sizes.insert_or_assign(name, number);
    }
  }
  return found;
}

RecoveryManifest::RecoveryManifest(std::string path, std::string directory)
    : path_(std::move(path)),
      directory_(std::move(directory)),
      descriptor_(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)),
      at_start_(read(descriptor_)),
      may_have_torn_log_(!at_start_.sequence && !logs().empty()),
      entries_(at_start_) {
  if (descriptor_ < 0) {
    throw EngineError(messages::manifest_not_opened(path_, std::generic_category().message(errno)));
  }
}

RecoveryManifest::~RecoveryManifest() { ::close(descriptor_); }

void RecoveryManifest::check() const {
  // the manifest in use; another one's entry is left from a change of manifests
  std::string manifest;
  std::ifstream(in_directory("CURRENT")) >> manifest;
  for (const auto& [name, length] : at_start_.sizes) {
    if (!is_log(name) && name != manifest) continue;
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(in_directory(name), error);
    if (error) {
      throw EngineError(messages::lost_file(in_directory(name), error.message()));
    }
    if (size < length) {
      throw EngineError(messages::shortened_file(in_directory(name), size, length));
    }
  }
}

std::vector<std::filesystem::directory_entry> RecoveryManifest::logs() const {
  std::vector<std::filesystem::directory_entry> found;
  std::error_code error;
  std::filesystem::directory_iterator entry(directory_, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (is_log(name_of(entry->path()))) found.push_back(*entry);
  }
  return found;
}

void RecoveryManifest::check_sequence(std::uint64_t sequence) {
  if (sequence >= at_start_.sequence.value_or(0)) return;
  const std::lock_guard lock(mutex_);
  entries_ = at_start_;
  write();
  std::string last_log = "*.log";
  for (const auto& entry : entries_.sizes) {
    if (is_log(entry.first)) last_log = entry.first;
  }
  throw EngineError(messages::shortened_log(in_directory(last_log), sequence, *at_start_.sequence));
}

void RecoveryManifest::record_new_log(const std::string& path) {
  std::lock_guard lock(mutex_);
  erase_logs();
  entries_.sizes.emplace(name_of(path), 0);
  write();
}

void RecoveryManifest::record_manifest(const std::string& path, std::uint64_t size) {
  std::lock_guard lock(mutex_);
  std::erase_if(entries_.sizes, [](const auto& entry) { return !is_log(entry.first); });
  entries_.sizes.emplace(name_of(path), size);
  write();
}

void RecoveryManifest::record_end(std::uint64_t sequence) {
  std::lock_guard lock(mutex_);
  erase_logs();
  entries_.sequence = sequence;
  for (const std::filesystem::directory_entry& log : logs()) {
    std::error_code error;
    const std::uint64_t size = log.file_size(error);
    if (!error) entries_.sizes.emplace(name_of(log.path()), size);
  }
  write();
}

void RecoveryManifest::erase_logs() {
  entries_.sequence.reset();
  std::erase_if(entries_.sizes, [](const auto& entry) { return is_log(entry.first); });
}

void RecoveryManifest::write() {
  std::string text;
  if (entries_.sequence) text = line_of(kSequence, *entries_.sequence);
  for (const auto& [name, length] : entries_.sizes) {
    const std::string line = line_of(name, length);
    if (text.size() + line.size() < kSize) text += line;
  }
  text.resize(kSize, '\n');
  // Stale entries would report files that were rightly deleted.
  if (::pwrite(descriptor_, text.data(), text.size(), 0) != static_cast<ssize_t>(kSize)) {
    static_cast<void>(::ftruncate(descriptor_, 0) == 0);
  }
}

}  // namespace magneto::storage
