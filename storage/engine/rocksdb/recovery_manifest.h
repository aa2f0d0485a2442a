#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace magneto::storage {

// Which log and manifest files RocksDB's directory has, how long they have been at least, and after a
// clean end the number of the last change: what recovery must find. RocksDB takes a missing log, a
// manifest cut short or a damaged end of a log for the trace of a crash and goes on with what is
// left; with these entries it is recognised as damage. Thread-safe.
//
//   file := ["sequence " number "\n"] (name " " size "\n")* "\n"*
//
// The file has kSize bytes and is rewritten in place. Unreadable entries count as none.
class RecoveryManifest {
 public:
  static constexpr std::size_t kSize = 512;  // written in one piece

  // `path`: the file of the entries; `directory`: of the files in them. Throws EngineError.
  RecoveryManifest(std::string path, std::string directory);
  ~RecoveryManifest();
  RecoveryManifest(const RecoveryManifest&) = delete;
  RecoveryManifest& operator=(const RecoveryManifest&) = delete;

  // Throws EngineError that names a file when one is missing or shorter than its entry.
  void check() const;

  // Whether a log at the start may end with a torn record: the last process was killed.
  bool may_have_torn_log() const { return may_have_torn_log_; }
  // After opening: `sequence` is the number of the last change that was found. Throws EngineError
  // that names a log when there was a later one; the entries are then as they were.
  void check_sequence(std::uint64_t sequence);

  // A new log: those before it may disappear from now on.
  void record_new_log(const std::string& path);
  // The bytes of RocksDB's manifest up to `size` are on disk; replaces the entry of an earlier one.
  void record_manifest(const std::string& path, std::uint64_t size);
  // At the end, with everything on disk and no torn log left: all logs there are, as long as they
  // are, and the number of the last change.
  void record_end(std::uint64_t sequence);

 private:
  struct Entries {
    std::map<std::string, std::uint64_t> sizes;  // by name in the directory
    std::optional<std::uint64_t> sequence;       // only after a clean end
  };

  static Entries read(int descriptor);
  std::vector<std::filesystem::directory_entry> logs() const;
  // The next two require mutex_.
  void erase_logs();
  void write();
  std::string in_directory(const std::string& name) const { return directory_ + "/" + name; }

  const std::string path_;
  const std::string directory_;
  const int descriptor_;
  const Entries at_start_;
  const bool may_have_torn_log_;
  std::mutex mutex_;  // guards entries_ and the file
  Entries entries_;
};

}  // namespace magneto::storage
