#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/engine/rocksdb/store_paths.h"
#include "storage/engine/saved_stores.h"

namespace magneto::storage {

// Whether other users than its owner may do anything in the directory. Group 0 is root's own, and
// in containers that of any user who is but a number.
bool is_open_to_others(const std::string& directory);

// Whether it is a directory of Magneto's already.
bool is_data_directory(const std::string& directory);

// The directory of a durable engine, locked against other processes for as long as this lives.
// The files of its store lie in it (store_paths.h), or in a folder of it once another store has
// become the current one.
//
//   MAGNETO        "magneto data directory\nformat 3\n"   written first, and anew, in one step; store_format.h
//   current        the number of the store; absent: the one whose files lie beside it
//   stores/1...    others: the current one, those of forks, those that are being made
//   snapshots/NAME what was saved: "note", and the engine's files in rocksdb/
//
// What a killed process left of stores that are not the current one goes at the next start, once the
// current one is open.
//
// The lock is flock() on the directory itself, so nothing is changed before it is known that the
// directory is ours.
class DataDirectory {
 public:
  // Creates the directory when absent, for its owner alone, and the marker when it is empty. Throws
  // EngineError with a sentence for the user: not a directory, not accessible, not writable, in
  // use, other files in it, a newer format, a damaged marker. What is not ours stays as it is.
  explicit DataDirectory(std::string path);
  ~DataDirectory();
  DataDirectory(const DataDirectory&) = delete;
  DataDirectory& operator=(const DataDirectory&) = delete;

  // Raises the format, where it is lower, so that versions which do not know it refuse the
  // directory. Thread-safe. Throws EngineError.
  void require_format(int format);

  const std::string& path() const { return path_; }

  // The next ones are thread-safe, and throw EngineError.

  // Where the current store is.
  StorePaths place() const;
  bool is_current(const StorePaths& other) const { return place().root() == other.root(); }
  // RocksDB starts an empty database, and deletes the files of the old one, when its file CURRENT is
  // missing: throws then.
  void check_not_headless(const StorePaths& place) const;
  // Removes what a killed process left of other stores. To be called while the current one is open,
  // so that no other process has it.
  void remove_leftovers() const;
  // A new folder, for a store that is not the current one.
  StorePaths make_place();
  // The store there, whole and on disk, is the current one from now on, at the next start too.
  void make_current(const StorePaths& place);
  // Removes the files of a store that nobody has open, but not of the current one. What cannot be
  // removed goes at the next start.
  void clean_up(const StorePaths& place) noexcept;

  // `fill` makes the engine's files, in a folder that it makes. Nothing is left when it throws, or
  // where something is saved under that name already, which is an error.
  void save(std::string_view name, std::string_view note,
            const std::function<void(const std::string& engine_path)>& fill);
  std::vector<SavedStores::Saved> saved() const;
  void remove_saved(std::string_view name);
  // Where the engine's files are.
  std::string saved_engine_path(std::string_view name) const {
    return saved_path(name) + "/rocksdb";
  }

 private:
  void create_if_absent() const;
  void lock();
  int read_marker() const;  // the format; 0: there is no marker
  void check_nothing_foreign() const;
  void check_writable() const;
  void write_marker(int format) const;
  void find_current();
  std::string own_current() const;
  StorePaths next_place();  // a path where nothing is
  void remove_store(const StorePaths& place) const;
  std::string folder_of_snapshots() const { return path_ + "/snapshots"; }
  std::string folder_of_stores() const { return path_ + "/stores"; }
  std::string saved_path(std::string_view name) const {
    return folder_of_snapshots() + "/" + std::string(name);
  }

  const std::string path_;
  int descriptor_ = -1;
  std::mutex format_mutex_;  // guards format_ and the marker
  int format_ = 0;
  mutable std::mutex stores_mutex_;  // guards what follows, and the folders
  std::uint64_t current_ = 0;        // of folder_of_stores(); 0: the store in the directory itself
  std::uint64_t last_store_ = 0;
};

// The files of a store, which go with it unless it is the current one. What has them open ends
// before.
class StoreFiles {
 public:
  // `directory` outlives it.
  StoreFiles(DataDirectory& directory, StorePaths place)
      : directory_(directory), place_(std::move(place)) {}
  ~StoreFiles() { directory_.clean_up(place_); }
  StoreFiles(const StoreFiles&) = delete;
  StoreFiles& operator=(const StoreFiles&) = delete;

  const StorePaths& place() const { return place_; }

 private:
  DataDirectory& directory_;
  const StorePaths place_;
};

}  // namespace magneto::storage
