#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "storage/backup/backup.h"
#include "storage/clock.h"
#include "storage/engine/engine.h"
#include "storage/model/effort.h"
#include "storage/model/vector_search.h"
#include "storage/stream/stream_log.h"
#include "storage/table/collection_sizes.h"
#include "storage/table/item_cursor.h"
#include "storage/table/item_write.h"
#include "storage/table/stale_reads.h"
#include "storage/table/table.h"
#include "storage/table/vector_result.h"
#include "storage/transaction/transaction.h"

namespace magneto::storage {

struct DatabaseStore;
struct AsOfView;
struct PeriodView;

// The facade of storage: tables and items, below protocol and expressions. One of the databases
// that share a store, by whose owner it is given out (storage/databases.h): its tables, their
// streams and the tokens of transactions on them are its own, all else belongs to the store. No
// more than the store and a number. All functions are thread-safe. Failures of the store throw
// EngineError, a write to a table deleted meanwhile TableGone; all other results are values. On an
// I/O thread whatever would wait for the disk, for others who may, or take long throws NeedsWorker,
// having changed nothing (storage/model/effort.h); what may do so is said here, and decided nowhere
// above.
class Database final {
 public:
  // Of the one that nothing is ever made in.
  static constexpr std::uint32_t kEmptyNumber = 0xFFFFFFFF;

  Database(DatabaseStore& store, std::uint32_t number, std::string name)
      : store_(store), number_(number), name_(std::move(name)) {}
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  std::uint32_t number() const { return number_; }
  const std::string& name() const { return name_; }

  // ---- tables -------------------------------------------------------------------------------

  // The current version of a table, or nullptr. Cheap enough for every request.
  TablePtr find_table(std::string_view name) const;
  // Names in ascending byte order, after `exclusive_start`, at most `limit`.
  std::vector<std::string> list_tables(std::string_view exclusive_start, std::size_t limit) const;
  std::size_t table_count() const;

  // The next three wait for the disk, or for the writers of this moment.

  // Creates the table `schema` describes; fills in id, number, created, index numbers, partition
  // count and statuses: CREATING for the control-plane delay, ACTIVE at once without one. While it
  // is CREATING the caller keeps requests for items off it. nullptr when the name is taken. Not in
  // Databases::empty().
  TablePtr create_table(TableSchema schema);

  // Deletes the table, after the control-plane delay or at once, and returns its last version, with
  // status DELETING. Until it is gone it can be found with that status. Items and indexes are
  // reclaimed in the background. A table with replicas is DELETING until they were sent what was
  // written in it. `check` sees the last schema and may throw: then nothing is deleted, and no
  // change lies in between. nullptr when there is none.
  TablePtr delete_table(std::string_view name,
                        absl::FunctionRef<void(const TableSchema& schema)> check);
  // A restore that reads from the table is waited for.
  TablePtr delete_table(std::string_view name) {
    return delete_table(name, [](const TableSchema&) {});
  }

  // Publishes a changed schema and returns at once. `change` edits a copy of the current one under
  // the catalog's lock and may throw (nothing changes then). Indexes it adds (number 0) are
  // CREATING and filled in the background, then ACTIVE; indexes whose status it sets to kDeleting
  // are removed. Both, or `change` itself, set the table's status to kUpdating, and `change` may
  // set an index's status to that. UPDATING and DELETING last for the control-plane delay; without
  // one they are seen only in the returned version, not by find_table. So do ENABLING and
  // DISABLING of time to live, which `change` sets with the attribute; items that are there
  // already are covered in the background. nullptr when there is no table. Throws SettingsBehind
  // where a setting that all replicas have alike is changed before the last change of another
  // replica has come here.
  TablePtr update_table(std::string_view name, absl::FunctionRef<void(TableSchema& schema)> change);

  // Whether what began then, in seconds since the epoch, still lasts for the control-plane delay.
  bool is_within_delay(double began) const;

  // ---- items --------------------------------------------------------------------------------

  // Whether eventually consistent reads may see a state of before (StaleReads), so that they are to
  // ask for a view. Cheap enough for every request.
  bool reads_are_stale() const;
  // What the next eventually consistent read sees.
  ReadView stale_view();

  // Reads see the newest state, or that of a view.
  StoredItem get(const Table& table, std::string_view key, const ReadView& view = {});
  // The same of each key, in one step where the engine is far away: not of one moment. Keys may be
  // equal. All that is found is held at once, so the caller bounds how many it asks for.
  std::vector<StoredItem> get_each(const Table& table, std::span<const std::string> keys,
                                   const ReadView& view = {});
  // Waits with synced writes, while the disk is behind, for others who hold the key, and where the
  // queue of global indexes is too long; so do the next two. Throws TransactionConflict when a
  // transaction holds the item, CollectionFull when its item collection would grow beyond the
  // limit, MemoryFull when it adds data and room() has none left; so do the next two.
  WriteOutcome write(const ItemWrite& write);

  // Decides on all items together, with all keys held, and commits all or, when any is rejected,
  // none. Keys must be distinct. Outcomes in order; every `decide` runs, also after a rejection,
  // and when any is rejected the outcomes of the others hold the old items only.
  std::vector<WriteOutcome> write_all(std::span<const ItemWrite> writes);
  // The same, where another region's writes of strongly consistent tables are waited for.
  std::vector<WriteOutcome> write_all_in_turn(std::span<const ItemWrite> writes);

  // Writes several items, all or none, each client token once. Whoever meets one of its items
  // before it has ended is refused: a write by TransactionConflict, another transaction by
  // `conflicts`.
  TransactionResult transact(const TransactionRequest& request);
  // One flag for each key: whether a transaction holds the item now.
  std::vector<bool> conflicts(std::span<const std::string_view> keys) const;

  // Reads several items, under distinct keys, at one moment: no write of any lies in between. Waits
  // for whoever holds a key.
  std::vector<StoredItem> get_all(std::span<const std::pair<const Table*, std::string_view>> keys);

  // Bytes of the item collection under a partition key of a table that has local indexes. Takes
  // long the first time.
  std::int64_t collection_size(const Table& table, AttributeView partition);

  // Walks a table (`index` nullptr) or an index of it. A global index is settled first unless a
  // delay is configured, which waits as a write does and for whoever does it already; where that
  // fails, as on a full disk, it is walked as it is. `table` and the view must outlive the cursor.
  // `hint`: how much will be wanted.
  ItemCursor scan(const Table& table, const Index* index, KeyRange range, Direction direction,
                  ScanHint hint = {}, const ReadView& view = {});

  // The best matches in an index of kind kVector, best first. It is settled first as scan() does.
  // Leaves an I/O thread where it takes long, as the first search since the start does.
  std::vector<VectorResult> search_vectors(const Table& table, const Index& index,
                                           const VectorSearch& search, Effort& effort);

  // ---- streams ------------------------------------------------------------------------------

  // Those of tables, and for a day those disabled or of deleted tables: ascending by ARN, after
  // `exclusive_start`, at most `limit`; only of tables named `table_name` unless that is empty.
  std::vector<std::shared_ptr<const StreamLog>> list_streams(std::string_view table_name,
                                                             std::string_view exclusive_start,
                                                             std::size_t limit) const;
  std::shared_ptr<const StreamLog> find_stream(std::string_view arn) const;  // nullptr: none
  StreamStatus stream_status(const StreamLog& stream) const;

  // ---- backups ------------------------------------------------------------------------------

  // A backup of what the table has now: with every write that has returned, and nothing of any
  // later one. It is being made, in the background, when this returns; once it is complete it is in
  // list_backups() and find_backup() as complete, and one that cannot be completed is gone. What
  // becomes of the table meanwhile does not matter. kNoTable, kTooMany. Waits for the disk.
  BackupResult create_backup(const TablePtr& table, std::string_view name);
  // nullptr when there is none of that ARN.
  BackupPtr find_backup(std::string_view arn) const;
  // The older first, at most `limit`.
  std::vector<BackupPtr> list_backups(const BackupFilter& filter, std::size_t limit) const;
  // kNoBackup, kInUse. The last version. Waits for the disk.
  BackupResult delete_backup(std::string_view arn);
  // A new table with the items of a complete backup: CREATING until they are there, which takes as
  // long as they are many, and at least the control-plane delay. `schema` is as in create_table(),
  // with the key attributes that the backup's table has; where it is from is filled in. While it is
  // CREATING nothing but delete_table() is to be called for it. kNoBackup, kInUse, kTableExists. Waits
  // for the disk.
  RestoreResult restore_table(const BackupPtr& backup, TableSchema schema);

  // Where the table can be restored to; nullopt without point-in-time recovery. Cheap.
  std::optional<RecoveryWindow> recovery_window(const Table& table) const;
  // The same with the items that `source` had when the clock showed `time`, seconds since the
  // epoch, for the last time; nullopt: now. Every write that was answered before that time, none that began after it, and of each
  // commit all or nothing. kNoTable, kNoHistory, kOutsideWindow, kTableExists. Waits for the disk, and
  // for the writers of this moment.
  RestoreResult restore_table(const Table& source, std::optional<double> time, TableSchema schema);
  // The table as it was then, and what changed in a period of its history: read_as_of() and
  // see_period() in backup/table_as_of.h, with times in seconds since the epoch. Wait for the writers of
  // this moment.
  AsOfView read_as_of(const Table& table, std::optional<double> time);
  PeriodView see_period(const Table& table, double from, std::optional<double> to);

  // ---- of the whole store -------------------------------------------------------------------

  const Clock& clock() const;
  bool is_durable() const;
  // Whether a write made now would wait for the disk, so that it need not be tried on an I/O
  // thread.
  bool commit_waits() const;
  // How much data may be added; plenty until somebody sets it.
  MemoryBudget& room();
  // Waits until the background work known now (back-fills, indexes that follow, backups, reclaiming, statistics
  // after a crash, deleting what has expired, client tokens too, what is due in streams) is done.
  // Does not wait for a control-plane delay to end.
  void settle();

 private:
  TablePtr update_unread(std::string_view name,
                         absl::FunctionRef<void(TableSchema& schema)> change);

  DatabaseStore& store_;
  const std::uint32_t number_;
  const std::string name_;
};

}  // namespace magneto::storage
