#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/clock.h"
#include "storage/database.h"
#include "storage/database_options.h"
#include "storage/database_statistics.h"
#include "storage/engine/engine.h"
#include "storage/engine/overlay/overlay_engine.h"
#include "storage/index/index_delay.h"
#include "storage/store_snapshot.h"

namespace magneto::storage {

class SavedStores;

// Thrown where one database more is asked for than there can be. Nothing is changed.
class TooManyDatabases : public std::exception {
 public:
  const char* what() const noexcept override { return "there are too many databases"; }
};

// A store and the databases in it: the main one, and those that were made under a name. They share
// the engine, its directory, its memory and the threads of the background; a database beside the
// main one is a number in the keys of its tables' records and costs some 200 bytes. Thread-safe.
//
// A database is never removed while the process runs, so what find() returned stays good. At the
// next start one in which there is neither a table nor a stream nor a backup is forgotten.
class Databases final {
 public:
  // Beside the main one.
  static constexpr std::size_t kMaxDatabases = 10'000;
  static constexpr std::size_t kMaxNameSize = 256;  // bytes

  // Opens (or creates) the data directory; throws EngineError with a sentence for the user.
  static std::unique_ptr<Databases> open(const DatabaseOptions& options, const Clock& clock);
  // As above, over this engine; options about the data directory are not looked at.
  static std::unique_ptr<Databases> open(const DatabaseOptions& options, const Clock& clock,
                                         std::unique_ptr<Engine> engine);
  // A store of its own that begins as that one was, and keeps what changes in memory: a fork. Nothing
  // that happens in one of both is seen in the other. Takes time for each table, however many items
  // they have; where it would lie above more than StoreSnapshot::kMaxDepth others, time for each item by
  // which these differ from what lies below all of them. Options about the data directory are not looked at.
  static std::unique_ptr<Databases> fork(const StoreSnapshotPtr& snapshot,
                                         const DatabaseOptions& options, const Clock& clock);
  // Ends all background work and, with a data directory, closes that cleanly, unless a snapshot
  // or a fork still holds it. No call may be under
  // way in any database.
  ~Databases();

  // The one without a name, number 0. All there is in a store in which no other was ever made.
  Database& main() { return main_; }
  // One that has nothing, to be read where find() finds none.
  Database& empty() { return empty_; }

  // nullptr when none was made under that name. Takes no lock: cheap enough for every request.
  Database* find(std::string_view name) const;

  // The same, made where there is none, and durable when this returns. Waits for the disk then. The
  // name is at most kMaxNameSize long. Throws TooManyDatabases and EngineError.
  Database& make(std::string_view name);

  // All there is now: of each commit all or nothing, with every one that has returned. Waits for the
  // writes under way and keeps others waiting, for the time too that it takes to look at each table,
  // unless nothing has changed since the last one, if that is still held. May wait for the disk.
  // Throws EngineError.
  StoreSnapshotPtr snapshot();

  // The data directory is for this store from now on, after a restart too; the files of the one that
  // it was for go when that ends. Of SavedSnapshots::restore(). Throws EngineError.
  void make_current();
  // For SavedSnapshots alone: LocalDisk's calls of that name. nullptr: there is no local disk.
  std::shared_ptr<SavedStores> saved_stores();
  void save(std::string_view name, std::string_view note);

  // How far global indexes lag behind; by set_index_delay() or hold_indexes() it is turned.
  const IndexDelay& index_delay() const;
  void set_index_delay(std::optional<IndexDelay::Milliseconds> delay);
  void hold_indexes();
  // Applies the first changes that wait, in each index at most so many; stale reads may see what that
  // leaves as they do of a write. May wait for the disk.
  // Throws EngineError.
  void release_indexes(std::size_t changes);

  // How long changes of global tables take to their replicas; the same dials.
  const IndexDelay& replication_delay() const;
  void set_replication_delay(std::optional<IndexDelay::Milliseconds> delay);
  void hold_replication();

  // How long an item stays once its time to live is over, by the clock; nullopt: as the options say.
  std::chrono::milliseconds time_to_live_delay() const;
  void set_time_to_live_delay(std::optional<std::chrono::milliseconds> delay);

  // What eventually consistent reads see; off at first. set() is to be called by set_stale_reads().
  StaleReads& stale_reads();
  // Throws std::invalid_argument (StaleReads::set) and EngineError. May wait for the disk.
  void set_stale_reads(const StaleReads::Settings& settings);

  // Of all databases; at most `max_tables` tables singly. May wait for the disk.
  StoreStatistics statistics(std::size_t max_tables) const;
  // As Engine::describe_refusal; with data in memory, also when room() has none left.
  std::string describe_refusal();

  std::size_t count() const { return count_.load(std::memory_order_relaxed); }  // beside the main

  // All there are now, the main one first.
  std::vector<Database*> all();

  // As Database::settle(), until `stop` is asked to: false then.
  bool settle(const std::stop_token& stop);
  // Removes the streams that are disabled, or of deleted tables, before their day is over. May wait
  // for the disk. Throws EngineError.
  void forget_streams();
  // Clients' tokens of all databases are as if they had never been. May wait for the disk. Throws
  // EngineError.
  void forget_tokens();

  // Removes the backups of all databases, those being made too; and those that tables are being
  // restored from, which are removed then, where `used_too` says so. Space is freed in the
  // background. May wait for the disk. Throws EngineError.
  void forget_backups(bool used_too);

  // All but `except` that have a table of that name, at most `limit`, the main one first. Walks all
  // databases.
  std::vector<const Database*> with_table(std::string_view table_name, const Database& except,
                                          std::size_t limit) const;

 private:
  // A chain for each hash, at whose head new ones are put: readers need no lock.
  struct Entry {
    Entry(DatabaseStore& store, std::uint32_t number, std::string name)
        : database(store, number, std::move(name)) {}
    Database database;
    Entry* next = nullptr;
  };
  static constexpr std::size_t kChains = 4096;
  using Chain = std::atomic<Entry*>;
  using Chains = std::array<Chain, kChains>;

  explicit Databases(std::unique_ptr<DatabaseStore> store);
  static Chain& chain_of(Chains& chains, std::string_view name);
  void load();
  StoreSnapshotPtr unchanged_snapshot();
  // Both require mutex_.
  void add(std::uint32_t number, std::string_view name);
  void store_name(std::uint32_t number, std::string_view name);

  const std::unique_ptr<DatabaseStore> store_;
  const TreePtr system_;  // nullptr when the engine is not durable
  Database main_;
  Database empty_;
  std::atomic<Chains*> chains_{nullptr};  // none before there is a database beside the main one
  std::atomic<std::size_t> count_{0};
  std::mutex mutex_;  // guards what follows, and who may change the chains; held while committing
  std::vector<std::unique_ptr<Entry>> entries_;
  std::unique_ptr<Chains> owned_chains_;
  std::uint32_t last_number_ = 0;
  // What a fork began with: what it is while nothing in it has changed.
  struct Origin {
    StoreSnapshotPtr snapshot;
    const OverlayEngine* engine = nullptr;
    std::uint64_t catalog_changes = 0;
  };
  Origin origin_;
  std::uint32_t depth_ = 0;     // so many overlays lie above each other, the own one included
  std::mutex taking_snapshot_;  // held while a snapshot is taken or saved; guards last_snapshot_
  std::weak_ptr<const StoreSnapshot> last_snapshot_;
};

}  // namespace magneto::storage
