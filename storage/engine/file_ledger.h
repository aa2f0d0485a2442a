#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace magneto::storage {

// Notes which log and manifest files of RocksDB exist and how long they have been at least. RocksDB
// takes a missing log or a manifest cut short for the trace of a crash and goes on with what is
// left; with the notes it is recognised as damage. Thread-safe.
//
//   files := (name " " size "\n")* "\n"*        kSize bytes, rewritten in place
//
// Unreadable notes count as none.
class FileLedger {
 public:
  static constexpr std::size_t kSize = 512;  // written in one piece

  // `path`: the file of the notes; `directory`: of the files noted. Throws EngineError.
  FileLedger(std::string path, std::string directory);
  ~FileLedger();
  FileLedger(const FileLedger&) = delete;
  FileLedger& operator=(const FileLedger&) = delete;

  // Throws EngineError that names a file when one is missing or shorter than noted.
  void check() const;

  // A new log: those before it may disappear from now on.
  void start_log(const std::string& path);
  // A manifest's bytes up to `size` are on disk; replaces the note of an earlier manifest.
  void note_manifest(const std::string& path, std::uint64_t size);
  // At the end: all logs there are, as long as they are.
  void note_logs();

 private:
  // The next three require mutex_.
  void erase_logs();
  void write();
  std::string in_directory(const std::string& name) const { return directory_ + "/" + name; }

  const std::string path_;
  const std::string directory_;
  int descriptor_;
  std::mutex mutex_;                            // guards sizes_ and the file
  std::map<std::string, std::uint64_t> sizes_;  // by name in the directory
};

}  // namespace magneto::storage
