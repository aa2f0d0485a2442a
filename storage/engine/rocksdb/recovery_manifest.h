#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace magneto::storage {

// A record of the log and manifest files in RocksDB's directory: their minimum lengths and, after a
// clean end, the number of the last change. Recovery must find all of it. RocksDB mistakes a
// missing log, a truncated manifest or a damaged end of a log for the trace of a crash and
// continues with the rest; with these entries it is recognised as damage. Thread-safe.
//
//   file := ["sequence " number "\n"] (name " " size "\n")* "\n"*
//
// The file has kSize bytes and is rewritten in place. Unreadable entries are ignored.
class RecoveryManifest {
 public:
  static constexpr std::size_t kSize = 512;  // written in one piece

  // `path`: the file of the entries; `directory`: the folder of the files they name. Throws
  // EngineError.
  RecoveryManifest(std::string path, std::string directory);
  ~RecoveryManifest();
  RecoveryManifest(const RecoveryManifest&) = delete;
  RecoveryManifest& operator=(const RecoveryManifest&) = delete;

  // Throws EngineError that names a file if one is missing or shorter than its entry.
  void check() const;

  // Whether a log at the start may end with a torn record because the last process was killed.
  bool may_have_torn_log() const { return may_have_torn_log_; }
  // Called after opening: `sequence` is the number of the last change that was found. If there was
  // a later change, throws EngineError that names a log, and leaves the entries unchanged.
  void check_sequence(std::uint64_t sequence);

  // Records a new log. Older logs may disappear from now on.
  void record_new_log(const std::string& path);
  // Records that RocksDB's manifest is on disk up to `size` bytes. Replaces the entry of an earlier
  // manifest.
  void record_manifest(const std::string& path, std::uint64_t size);
  // How many logs there are now.
  std::size_t count_logs() const { return logs().size(); }
  // Called at the end, with everything on disk and no torn log left. Records all logs with their
  // lengths, and the number of the last change.
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
