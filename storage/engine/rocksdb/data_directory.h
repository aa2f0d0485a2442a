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

// Whether users other than its owner have any access to the directory. Group 0 does not count: it
// is root's own group, and in containers the group of any user without a name.
bool is_open_to_others(const std::string& directory);

// Whether this is already a data directory of Magneto.
bool is_data_directory(const std::string& directory);

// The directory of a durable engine, locked against other processes while this object exists. The
// files of its store are in it (store_paths.h), or in a subfolder once another store has become the
// current one.
//
//   MAGNETO        "magneto data directory\nformat 3\n"   written first, replaced in one step
//                  (store_format.h)
//   current        the number of the current store; absent: the store is in the directory itself
//   stores/1...    other stores: the current one, those of forks, those in preparation
//   snapshots/NAME a saved store: "note", and the engine's files in rocksdb/
//
// A killed process may leave stores that are not current. The next start removes them once the
// current one is open.
//
// The lock is flock() on the directory itself, so nothing is changed before the directory is known
// to be ours.
class DataDirectory {
 public:
  // Creates a missing directory, with access for its owner only, and the marker if the directory is
  // empty. Throws EngineError with a sentence for the user: not a directory, not accessible, not
  // writable, in use, other files in it, a newer format, a damaged marker. Foreign files stay
  // unchanged.
  explicit DataDirectory(std::string path);
  ~DataDirectory();
  DataDirectory(const DataDirectory&) = delete;
  DataDirectory& operator=(const DataDirectory&) = delete;

  // Raises a lower format, so that versions that do not know it refuse the directory. Thread-safe.
  // Throws EngineError.
  void require_format(int format);

  const std::string& path() const { return path_; }

  // The next functions are thread-safe and throw EngineError.

  // The paths of the current store.
  StorePaths place() const;
  bool is_current(const StorePaths& other) const { return place().root() == other.root(); }
  // Throws if RocksDB's file CURRENT is missing: RocksDB would start an empty database and delete
  // the files of the old one.
  void check_not_headless(const StorePaths& place) const;
  // Removes other stores that a killed process left. Call it while the current store is open, so
  // that no other process has it.
  void remove_leftovers() const;
  // A new folder, for a store that is not the current one.
  StorePaths make_place();
  // Makes the store there, complete and on disk, the current one from now on, at the next start
  // too.
  void make_current(const StorePaths& place);
  // Removes the files of a store that is not open, unless it is the current one. The next start
  // removes files that cannot be removed now.
  void clean_up(const StorePaths& place) noexcept;

  // Saves a store: `fill` makes the engine's files, in a folder that it creates. An existing name
  // is an error. Nothing is left if this throws.
  void save(std::string_view name, std::string_view note,
            const std::function<void(const std::string& engine_path)>& fill);
  std::vector<SavedStores::Saved> saved() const;
  void remove_saved(std::string_view name);
  // The folder of the engine's files.
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
  StorePaths next_place();  // an unused path
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
  mutable std::mutex stores_mutex_;  // guards the next members, and the folders
  std::uint64_t current_ = 0;        // in folder_of_stores(); 0: the store in the directory itself
  std::uint64_t last_store_ = 0;
};

// The files of a store. They are deleted with this object, unless the store is current. Users of
// the files must have closed them before.
class StoreFiles {
 public:
  // `directory` must outlive it.
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
