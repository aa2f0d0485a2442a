#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "storage/clock.h"
#include "storage/engine/engine.h"
#include "storage/engine/records.h"
#include "storage/index/change_log.h"
#include "storage/stream/stream_catalog.h"
#include "storage/table/catalog_snapshot.h"
#include "storage/table/change_lock.h"
#include "storage/table/published_tables.h"
#include "storage/table/table.h"

namespace magneto::storage {

// All tables by database and name: finds the version to use now, and publishes new ones. In a
// durable engine a table's schema, the last table number and what is dropped but not reclaimed are
// records in ColumnFamily::kSystem (keyspace.h). Table numbers are never given out twice. A change is
// on disk before it is seen, and throws EngineError, changing nothing, when it cannot be. It is decided
// on the stored record, which another server may have changed: then this catalog takes over the
// record first. A function that decides may therefore be called several times. If servers share the
// store, each of them has taken a change over when the function that made it returns. A table
// whose stream specification becomes enabled, or whose changes are to be delivered, gets a new stream
// with that change. A stream that the table no longer uses stays open until its last writer has
// ended; other code closes it. Thread-safe.
class Catalog {
 public:
  // `changes`: the log that asynchronous indexes follow. `partitions`: of every new table; 0: as
  // DynamoDB does. `reader_slots`: see PublishedTables.
  Catalog(Engine& engine, const Clock& clock, ChangeLog& changes, std::uint32_t partitions,
          std::size_t reader_slots = 0);

  // Reads the tables and streams a durable engine holds, and closes streams that no table has any
  // more. Before any other use.
  void load();

  // All there is now. No table is changed, no index follows and no scope is open while `and_then` is
  // called, so that a snapshot that it takes has the same contents. Throws EngineError.
  void snapshot(CatalogSnapshot& snapshot, absl::FunctionRef<void()> and_then);
  // Instead of load(): begins with tables and streams of another catalog, under their numbers, with
  // trees that `over` makes of its trees. Changes that indexes are still to make go into the change
  // log. Nothing of it is stored.
  using OverlayOf = absl::FunctionRef<TreePtr(const TreePtr& below)>;
  void fork_from(const CatalogSnapshot& snapshot, OverlayOf overlay_of);
  // Grows with each change of a table.
  std::uint64_t changes() const { return change_count_.load(); }

  // Whether this process does the background work on the tables: it uses the store alone, or leads the
  // servers that share it.
  bool leads() const;
  // Whether several servers use the store at the same time.
  bool is_shared() const { return engine_.group() != nullptr; }

  // Of the histories of all tables.
  HistoryBudget& history_budget() const { return *history_budget_; }
  StreamCatalog& streams() { return streams_; }
  const StreamCatalog& streams() const { return streams_; }

  TablePtr find(std::uint32_t database, std::string_view name) const {
    return published_.find(database, name);
  }
  // The newest version of the same table, or nullptr when it is deleted.
  TablePtr current(const Table& table) const;
  // Of one database.
  std::vector<std::string> list(std::uint32_t database, std::string_view exclusive_start,
                                std::size_t limit) const;
  std::size_t size(std::uint32_t database) const;
  // Of all databases: ascending by database and name.
  std::vector<TablePtr> tables() const;
  // The numbers of databases that have a table of this name, or any when it is empty; ascending.
  // What indexes take in memory beside their trees, bytes. Looks at each.
  std::int64_t index_memory() const;
  std::vector<std::uint32_t> databases_with(std::string_view name) const;

  // Takes over tables and streams as other servers have changed, made or deleted them: those under
  // these record keys, or all if there are none.
  void take_over(std::span<const std::string> keys);
  // The same for one table, before its change is announced.
  void take_over_table(const TableName& name);
  // Returns when all servers have taken the record of the table over, and that of the stream that
  // `previous` had. Does nothing without other servers.
  void announce(const TableName& name, const Table* previous) const;

  // Gives the table its id, number, time and partitions, its new indexes numbers, and its stream a
  // label. nullptr when the name is taken.
  TablePtr create(TableSchema schema);
  // `call` runs before each creation. If it throws, no table is created. Set it before any creation.
  void before_create(std::function<void()> call) { before_create_ = std::move(call); }

  struct Edited {
    TablePtr table;     // as published; nullptr when nothing was
    TablePtr previous;  // the version before
  };
  // Publishes what `change` makes of a copy of the schema, unless it returns false. Runs under the
  // lock for changes; may throw. Indexes with number 0 get one; an index or expiry queue whose
  // number is no longer there is dropped: a "dropped/" record tells to reclaim it. Nothing when
  // there is no such table. Where point-in-time recovery becomes enabled the table gets a new
  // history, not begun; where it becomes disabled that is dropped as an index is.
  Edited edit(const TableName& name, absl::FunctionRef<bool(TableSchema& schema)> change);

  // Takes the table away, when it has this number, and returns its last version, else nullptr.
  // "dropped/" records tell to reclaim it, its indexes and its expiry queue. `may` looks at the
  // last schema, under the lock for changes: false leaves the table; it may throw.
  using MayErase = absl::FunctionRef<bool(const TableSchema& schema)>;
  TablePtr erase(const TableName& name, std::uint32_t number, MayErase may);
  TablePtr erase(const TableName& name, std::uint32_t number) {
    return erase(name, number, [](const TableSchema&) { return true; });
  }

  // How many partitions DynamoDB would have cut the table into by now: by its units, by its size,
  // never fewer than at first.
  std::uint32_t wanted_partitions(const Table& table) const;

  // For records beside those of tables, such as backups. Commits the changes that `stage` adds and
  // then calls `done`; does neither if `stage` returns false. Both run under the lock for changes,
  // so snapshot() sees such a change like one of a table. `keys` as in Records::change(). `stage`
  // may throw.
  void change_beside(std::vector<std::string> keys, Records::Decide stage,
                     absl::FunctionRef<void()> done);
  // The same, with a new number of the series that tables use.
  using DecideWithNumber = absl::FunctionRef<bool(std::uint32_t number, Records::Change& change)>;
  void add_beside(DecideWithNumber stage, absl::FunctionRef<void()> done);
  // Calls `look` under the lock for changes.
  void look_beside(absl::FunctionRef<void()> look);

  // A version that is not published, to describe a table in a passing state: `schema` with the
  // trees and statistics of `table`, and of `previous` for indexes that `table` has no more.
  static TablePtr describe(TableSchema schema, const Table& table, const Table* previous = nullptr);

  // Numbers of a dropped table (index 0), index or expiry queue.
  struct Dropped {
    std::uint32_t table_number;
    std::uint16_t index_number;
  };
  // The trees that an earlier process dropped and did not reclaim.
  std::vector<Dropped> dropped() const;
  // Called when the tree is reclaimed.
  void forget(Dropped dropped);

 private:
  // The streams that record the changes of a table, as its schema demands.
  struct Logs {
    StreamPtr stream;
    StreamPtr deliveries;
  };
  TablePtr build(TableSchema schema, const Table* previous, Logs logs) const;
  // By database and ARN.
  using OpenStreams = absl::flat_hash_map<std::pair<std::uint32_t, std::string>, StreamPtr>;
  using Tables = std::map<std::string, TablePtr, std::less<>>;
  const Tables& tables_of(std::uint32_t database) const;  // requires mutex_ or change_mutex_
  Logs reopen_logs(TableSchema& schema, OpenStreams& open);
  Logs logs_for(TableSchema& schema, const Logs& former, std::string_view former_label,
                Records::Change& records);
  Logs stored_logs(const TableSchema& schema);
  void publish_new(const Logs& logs, const Logs& former);
  std::shared_ptr<const Index> build_index(const TableSchema& table, const IndexSchema& schema,
                                           const Index* previous) const;
  std::shared_ptr<const ExpiryQueue> build_expiry_queue(const TableSchema& table,
                                                        const Table* previous) const;
  std::uint32_t partition_count(const TableSchema& table, const ProvisionedThroughput& units) const;
  // What a change makes of a table, before it is committed.
  struct Staged {
    TablePtr table = nullptr;
    TablePtr previous = nullptr;
    Logs former = {};
    std::uint32_t history_number = 0;  // newly assigned; 0: none was
    // The stream whose policy must be stored before the change; nullptr: none.
    StreamPtr stream_to_leave = nullptr;
    StreamPtr left = nullptr;  // whose policy has been stored
  };
  // The next functions require change_mutex_.
  void stage_table(TableSchema schema, Staged& staged, Records::Change& records);
  bool stage_edit(absl::FunctionRef<bool(TableSchema& schema)> change, Staged& staged,
                  Records::Change& records);
  bool must_leave_stream(Staged& staged) const;
  static void leave_stream(Staged& staged);
  bool stage_erasure(std::uint32_t number, MayErase may, Staged& staged, Records::Change& records);
  void number_history(Staged& staged, PointInTimeRecovery& recovery,
                      Records::Change& records) const;
  TablePtr known(const TableName& name) const;
  TablePtr refresh(const TableName& name, Records::Change& records);
  TablePtr follow_record(const TableName& name, const PinnedValue& record);
  std::vector<TableName> changed_tables() const;
  TablePtr create_here(const TableSchema& schema);
  Edited edit_here(const TableName& name, absl::FunctionRef<bool(TableSchema& schema)> change);
  TablePtr erase_here(const TableName& name, std::uint32_t number, MayErase may);
  void publish(const TablePtr& table, const TablePtr& previous);
  void withdraw(const TablePtr& table);

  HistoryPtr build_history(const TableSchema& table, const Table* previous) const;
  TablePtr fork_table(const TableSnapshot& snapshot, OverlayOf overlay_of) const;
  std::shared_ptr<const Index> fork_index(const TableSchema& table, const Index& index,
                                          const TableSnapshot::IndexSnapshot& snapshot,
                                          OverlayOf overlay_of) const;

  Engine& engine_;
  const Clock& clock_;
  ChangeLog& changes_;
  const std::uint32_t partitions_;
  const Records records_;
  const StampSourcePtr stamp_source_ = std::make_shared<StampSource>();
  const HistoryBudgetPtr history_budget_ = std::make_shared<HistoryBudget>();
  std::function<void()> before_create_;
  StreamCatalog streams_;
  PublishedTables published_;
  std::atomic<std::uint64_t> change_count_{0};
  ChangeLock change_mutex_;        // one change at a time; held while it is committed
  std::uint32_t last_number_ = 0;  // guarded by change_mutex_
  // Guards tables_. A change of tables_ holds both mutexes, and waits for nothing while it does.
  mutable std::mutex mutex_;
  std::map<std::uint32_t, Tables> tables_;  // by database; a database without tables has no entry
};

}  // namespace magneto::storage
