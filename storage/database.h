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

// The facade of storage: tables and items, below protocol and expressions. This is one of the
// databases that share a store; Databases (storage/databases.h) owns and returns it. Its tables,
// their streams and its transaction tokens are its own; all else belongs to the store. It holds
// only a reference to the store, a number and a name.
//
// All functions are thread-safe. A failure of the store throws EngineError, a write to a table that
// was deleted meanwhile throws TableGone; all other results are values. On an I/O thread, a call
// that would wait for the disk, wait for another thread that may wait, or take long throws
// NeedsWorker and has changed nothing (storage/model/effort.h). Each function below says whether it
// can; no layer above decides it.
class Database final {
 public:
  // The number of Databases::empty(), in which nothing is ever created.
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
  // If other servers use the store: reads the record of the table, which one of them may have changed a
  // moment ago, for find_table(). Otherwise returns false. May wait for the store. Throws EngineError.
  bool refresh_table(std::string_view name);
  // find_table(), with refresh_table() if no table is found: another server may have just made it.
  TablePtr find_or_refresh_table(std::string_view name);
  // Returns when every server that uses the store knows the table as it is stored now, or knows that it
  // is gone. At once if there is no other server. May wait for the store. Throws EngineError.
  void await_servers(std::string_view name);
  // Names in ascending byte order, after `exclusive_start`, at most `limit`.
  std::vector<std::string> list_tables(std::string_view exclusive_start, std::size_t limit) const;
  std::size_t table_count() const;

  // The next three wait for the disk, or for writes in progress.

  // Creates the table that `schema` describes. Fills in id, number, created, index numbers,
  // partition count and statuses: CREATING for the control-plane delay, ACTIVE at once without a
  // delay. The caller rejects item requests while the table is CREATING. nullptr if the name is
  // taken. Not allowed in Databases::empty().
  TablePtr create_table(TableSchema schema);

  // Deletes the table, after the control-plane delay or at once, and returns its last version, with
  // status DELETING. find_table() still finds it with that status until it is gone. Background work
  // reclaims items and indexes. A table with replicas stays DELETING until its writes have been
  // sent to them. `check` sees the last schema, with no change between it and the deletion; if it
  // throws, nothing is deleted. nullptr if there is no table.
  TablePtr delete_table(std::string_view name,
                        absl::FunctionRef<void(const TableSchema& schema)> check);
  // Waits for a restore that reads from the table.
  TablePtr delete_table(std::string_view name) {
    return delete_table(name, [](const TableSchema&) {});
  }

  // Publishes a changed schema and returns at once. `change` edits a copy of the current schema
  // under the catalog's lock; if it throws, nothing changes. It is called again if another server
  // changes the table meanwhile. nullptr if there is no table.
  //
  // Indexes that `change` adds (number 0) are CREATING until the background has filled them, then
  // ACTIVE. Indexes whose status it sets to kDeleting are removed. Both set the table's status to
  // kUpdating; `change` may also set that status itself, for the table or an index. It sets
  // ENABLING or DISABLING of time to live with the attribute; the background then covers the items
  // that already exist.
  //
  // UPDATING, DELETING, ENABLING and DISABLING last for the control-plane delay. Without a delay
  // only the returned version shows them, not find_table().
  //
  // Throws SettingsBehind if `change` alters a setting that all replicas share before the last
  // change from another replica has arrived here.
  TablePtr update_table(std::string_view name, absl::FunctionRef<void(TableSchema& schema)> change);

  // Whether the control-plane delay of something that began then, in seconds since the epoch, has
  // not ended yet.
  bool is_within_delay(double began) const;

  // ---- items --------------------------------------------------------------------------------

  // Whether eventually consistent reads may see an older state (StaleReads); callers then read
  // through stale_view(). Cheap enough for every request.
  bool reads_are_stale() const;
  // The view for the next eventually consistent read.
  ReadView stale_view();

  // Reads see the newest state, or the state of `view`.
  StoredItem get(const Table& table, std::string_view key, const ReadView& view = {});
  // Reads each key as get() does, in one step if the engine is remote; the items are not of one
  // moment. Keys may repeat. Holds all items it finds at once, so the caller bounds the number of
  // keys.
  std::vector<StoredItem> get_each(const Table& table, std::span<const std::string_view> keys,
                                   const ReadView& view = {});
  // Waits for the disk with synced writes or while the disk is behind, for other threads that hold
  // the key, and while the queue of global indexes is too long. Throws TransactionConflict if a
  // transaction holds the item, CollectionFull if its item collection would grow beyond the limit,
  // and MemoryFull if it adds data and room() has none left. All this applies to the next two
  // functions as well.
  WriteOutcome write(const ItemWrite& write);

  // Decides on all items together, with all keys held, and commits all of them; if any write is
  // rejected, commits none. Keys must be distinct. Outcomes are in order. Every `decide` runs, also
  // after a rejection; if any is rejected, the outcomes of the others hold the old items only.
  std::vector<WriteOutcome> write_all(std::span<const ItemWrite> writes);
  // Like write_all(), but waits for writes of another region to strongly consistent tables.
  std::vector<WriteOutcome> write_all_in_turn(std::span<const ItemWrite> writes);

  // Writes several items, all or none, and honours each client token once. Until it ends it refuses
  // other requests for its items: a write throws TransactionConflict, another transaction returns
  // `conflicts`.
  TransactionResult transact(const TransactionRequest& request);
  // One flag for each key: whether a transaction holds the item now.
  std::vector<bool> conflicts(std::span<const std::string_view> keys) const;

  // Reads several items, under distinct keys, at one moment: no write to any of them lies in
  // between. Waits for threads that hold a key.
  std::vector<StoredItem> get_all(std::span<const std::pair<const Table*, std::string_view>> keys);

  // Bytes of the item collection under a partition key, in a table that has local indexes. Takes
  // long the first time.
  std::int64_t collection_size(const Table& table, AttributeView partition);

  // Walks a table (`index` nullptr) or one of its indexes. Unless a delay is configured, a global
  // index is settled first: that waits as a write does, and for a thread that is already settling
  // it. If settling fails, for example on a full disk, the index is walked as it is. `table` and
  // the view must outlive the cursor. `hint`: how much the caller will read.
  ItemCursor scan(const Table& table, const Index* index, KeyRange range, Direction direction,
                  ScanHint hint = {}, const ReadView& view = {});

  // The best matches in an index of kind kVector, best first. Settles the index first, as scan()
  // does. Leaves an I/O thread if the search takes long, as the first search after the start does.
  std::vector<VectorResult> search_vectors(const Table& table, const Index& index,
                                           const VectorSearch& search, Effort& effort);

  // ---- streams ------------------------------------------------------------------------------

  // The streams of tables, and for a day those that are disabled or whose table is deleted.
  // Ascending by ARN, after `exclusive_start`, at most `limit`. Only streams of tables named
  // `table_name`, unless that is empty.
  std::vector<std::shared_ptr<const StreamLog>> list_streams(std::string_view table_name,
                                                             std::string_view exclusive_start,
                                                             std::size_t limit) const;
  // nullptr if there is none
  std::shared_ptr<const StreamLog> find_stream(std::string_view arn) const;
  StreamStatus stream_status(const StreamLog& stream) const;

  // ---- backups ------------------------------------------------------------------------------

  // Starts a backup of the table: it has every write that has returned, and no later write. The
  // background makes it after this returns. When it is complete, list_backups() and find_backup()
  // show it as complete; if it cannot be completed, it disappears. Later changes or the deletion of
  // the table do not affect it. Results: kNoTable, kTooMany. Waits for the disk.
  BackupResult create_backup(const TablePtr& table, std::string_view name);
  // nullptr if no backup has that ARN.
  BackupPtr find_backup(std::string_view arn) const;
  // Oldest first, at most `limit`.
  std::vector<BackupPtr> list_backups(const BackupFilter& filter, std::size_t limit) const;
  // Returns the last version of the backup. Results: kNoBackup, kInUse. Waits for the disk.
  BackupResult delete_backup(std::string_view arn);
  // Creates a table with the items of a complete backup. It is CREATING until the items are copied,
  // which takes time in proportion to their number, and at least for the control-plane delay.
  // `schema` is as in create_table(), with the key attributes of the backup's table; the function
  // fills in the source. While the table is CREATING, only delete_table() may be called for it.
  // Results: kNoBackup, kInUse, kTableExists. Waits for the disk.
  RestoreResult restore_table(const BackupPtr& backup, TableSchema schema);

  // The times that the table can be restored to; nullopt without point-in-time recovery. Cheap.
  std::optional<RecoveryWindow> recovery_window(const Table& table) const;
  // Creates a table with the items that `source` had at the last moment when the clock showed
  // `time`, in seconds since the epoch; nullopt: now. Includes every write that was answered before
  // that time and none that began after it, and each commit in full or not at all. Results:
  // kNoTable, kNoHistory, kOutsideWindow, kTableExists. Waits for the disk, and for writes in
  // progress.
  RestoreResult restore_table(const Table& source, std::optional<double> time, TableSchema schema);
  // The table as it was at a time, and the changes in a period of its history: read_as_of() and
  // see_period() in backup/table_as_of.h, with times in seconds since the epoch. They wait for
  // writes in progress.
  AsOfView read_as_of(const Table& table, std::optional<double> time);
  PeriodView see_period(const Table& table, double from, std::optional<double> to);

  // Whether several servers use the store at the same time. Cheap.
  bool is_shared() const;
  // Brings the statistics of a table up to date with the commits of other servers that share the store,
  // if there are any. May wait for the store.
  void refresh_statistics(const Table& table);

  // ---- the whole store -----------------------------------------------------------------------

  const Clock& clock() const;
  bool is_durable() const;
  // Whether a write now would wait for the disk, so that an I/O thread need not try it.
  bool commit_waits() const;
  // How much data may still be added; plenty until a limit is set.
  MemoryBudget& room();
  // Waits until all background work that is known now is done: back-fills, indexes that follow,
  // backups, reclaiming, statistics after a crash, deletion of expired items and client tokens, and
  // stream work that is due. Does not wait for a control-plane delay to end.
  void settle();

 private:
  TablePtr update_unread(std::string_view name,
                         absl::FunctionRef<void(TableSchema& schema)> change);

  DatabaseStore& store_;
  const std::uint32_t number_;
  const std::string name_;
};

}  // namespace magneto::storage
