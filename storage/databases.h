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
#include "storage/engine/records.h"
#include "storage/index/index_delay.h"
#include "storage/notes.h"
#include "storage/store_snapshot.h"

namespace magneto::storage {

class SavedStores;

// Thrown if a request would exceed the maximum number of databases. Nothing has changed.
class TooManyDatabases : public std::exception {
 public:
  const char* what() const noexcept override { return "there are too many databases"; }
};

// A store and its databases: the main one and the named ones. They share the engine, its directory,
// its memory and the background threads. A named database is a number in the keys of its tables'
// records and costs some 200 bytes. Thread-safe.
//
// A database is never removed while the process runs, so the result of find() stays valid. The next
// start forgets a named database that has no table, stream or backup.
class Databases final {
 public:
  // Limit on named databases.
  static constexpr std::size_t kMaxDatabases = 10'000;
  static constexpr std::size_t kMaxNameSize = 256;  // bytes

  // Opens (or creates) the data directory; throws EngineError with a sentence for the user.
  static std::unique_ptr<Databases> open(const DatabaseOptions& options, const Clock& clock);
  // The same over this engine; ignores options about the data directory.
  static std::unique_ptr<Databases> open(const DatabaseOptions& options, const Clock& clock,
                                         std::unique_ptr<Engine> engine);
  // A fork: a store of its own that begins with the snapshot's state and keeps its changes in
  // memory. Neither store sees what happens in the other. Takes time for each table, however many
  // items the tables have. If the fork would lie above more than StoreSnapshot::kMaxDepth others,
  // it takes time for each item in which those differ from the lowest store. Ignores options about
  // the data directory.
  static std::unique_ptr<Databases> fork(const StoreSnapshotPtr& snapshot,
                                         const DatabaseOptions& options, const Clock& clock);
  // Ends all background work and closes the data directory cleanly, unless a snapshot or a fork
  // still holds it. No call may be in progress in any database.
  ~Databases();

  // The database without a name, number 0. The only one in a store in which no other was ever
  // created.
  Database& main() { return main_; }
  // A database that is always empty, for reads when find() finds none.
  Database& empty() { return empty_; }

  // nullptr if no database has that name. Takes no lock: cheap enough for every request.
  Database* find(std::string_view name) const;

  // Like find(), but creates a missing database, which is durable when this returns. The name has
  // at most kMaxNameSize bytes. Waits for the disk if it creates one. Throws TooManyDatabases and
  // EngineError.
  Database& make(std::string_view name);

  // A snapshot of the whole store: it has every commit that has returned, and each commit in full
  // or not at all. Waits for writes in progress and blocks new ones, also for the time it takes to
  // visit each table. Does neither if nothing has changed since the last snapshot and that one is
  // still held. May wait for the disk. Throws EngineError.
  StoreSnapshotPtr snapshot();

  // The small records of the server that belong to no database.
  std::shared_ptr<Notes> notes();

  // Puts this store, of SavedSnapshots::restore() or a fork, in the place of `former`. It takes the
  // notes of `former`; holders of those notes then use this store. If both stores have a data
  // directory, the directory belongs to this store from now on, after a restart too. The files of
  // `former` are deleted when that store ends. Throws EngineError and changes nothing then.
  void replace(Databases& former);
  // Used by SavedSnapshots only: the LocalDisk calls of the same names. nullptr if there is no
  // local disk.
  std::shared_ptr<SavedStores> saved_stores();
  void save(std::string_view name, std::string_view note);

  // How far global indexes lag behind. Changed by set_index_delay() and hold_indexes().
  const IndexDelay& index_delay() const;
  void set_index_delay(std::optional<IndexDelay::Milliseconds> delay);
  void hold_indexes();
  // Applies the first pending changes, in each index at most `changes`. To stale reads the result
  // is like a write. May wait for the disk. Throws EngineError.
  void release_indexes(std::size_t changes);

  // How long changes of global tables take to reach their replicas; set like the index delay.
  const IndexDelay& replication_delay() const;
  void set_replication_delay(std::optional<IndexDelay::Milliseconds> delay);
  void hold_replication();

  // How long, by the clock, an item stays after its time to live has ended; nullopt: as the options
  // say.
  std::chrono::milliseconds time_to_live_delay() const;
  void set_time_to_live_delay(std::optional<std::chrono::milliseconds> delay);

  // The settings of stale eventually consistent reads; off at first. Do not call its set(): call
  // set_stale_reads().
  StaleReads& stale_reads();
  // Throws std::invalid_argument (StaleReads::set) and EngineError. May wait for the disk.
  void set_stale_reads(const StaleReads::Settings& settings);

  // How many servers use the store now, this one included.
  std::size_t servers() const;
  // ServerGroup::server() and has_left(). Without other servers: 0, and false.
  std::int64_t server() const;
  bool has_left(std::int64_t server) const;
  // Whether this server does the work that only one server of a store may do. A store without other
  // servers: true. Cheap. Two servers may lead for a moment (ServerGroup::is_leader()).
  bool leads() const;

  // The position of a record made at `time`, in any stream that is not ahead of the clock.
  std::uint64_t stream_position_of(Clock::TimePoint time) const;

  // Like Engine::is_current().
  bool is_current() const;

  // The statistics of all databases, with at most `max_tables` tables singly. May wait for the
  // disk.
  StoreStatistics statistics(std::size_t max_tables) const;
  // Like Engine::describe_refusal(); with data in memory, also non-empty if room() has none left.
  std::string describe_refusal();

  // without the main one
  std::size_t count() const { return count_.load(std::memory_order_relaxed); }

  // All databases that exist now, the main one first.
  std::vector<Database*> all();

  // Like Database::settle(); false if `stop` was requested first.
  bool settle(const std::stop_token& stop);
  // Removes the streams that are disabled or whose table is deleted, before their day is over. May
  // wait for the disk. Throws EngineError.
  void forget_streams();
  // Forgets the client tokens of all databases. May wait for the disk. Throws EngineError.
  void forget_tokens();

  // Removes the backups of all databases, including backups in progress. If `used_too`, also
  // removes backups that a restore is reading from. The background frees the space. May wait for
  // the disk. Throws EngineError.
  void forget_backups(bool used_too);

  // All databases except `except` that have a table of that name, at most `limit`, the main one
  // first. Walks all databases.
  std::vector<const Database*> with_table(std::string_view table_name, const Database& except,
                                          std::size_t limit) const;

 private:
  // One chain for each hash; new entries go to its head, so readers need no lock.
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
  // These require mutex_.
  void add(std::uint32_t number, std::string_view name);
  void add_unknown();

  bool make_here(std::string_view name);
  // Adds the databases that other servers have made.
  void take_over();

  const std::unique_ptr<DatabaseStore> store_;
  const Records records_;
  Database main_;
  Database empty_;
  std::atomic<Chains*> chains_{nullptr};  // nullptr until the first named database exists
  std::atomic<std::size_t> count_{0};
  std::mutex mutex_;  // guards the next members and changes of the chains; held while committing
  std::vector<std::unique_ptr<Entry>> entries_;
  std::unique_ptr<Chains> owned_chains_;
  std::uint32_t last_number_ = 0;
  std::shared_ptr<Notes> notes_;  // nullptr until the first call of notes()
  // The snapshot that a fork began with. It is still the fork's state while nothing in the fork has
  // changed.
  struct Origin {
    StoreSnapshotPtr snapshot;
    const OverlayEngine* engine = nullptr;
    std::uint64_t catalog_changes = 0;
  };
  Origin origin_;
  std::uint32_t depth_ = 0;     // number of overlays above each other, including this store's own
  std::mutex taking_snapshot_;  // held while a snapshot is taken or saved; guards last_snapshot_
  std::weak_ptr<const StoreSnapshot> last_snapshot_;
};

}  // namespace magneto::storage
