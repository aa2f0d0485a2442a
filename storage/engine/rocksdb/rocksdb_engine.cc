#include "storage/engine/rocksdb/rocksdb_engine.h"

#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "storage/engine/local_disk.h"
#include "storage/engine/locking_engine.h"
#include "storage/engine/rocksdb/data_directory.h"
#include "storage/engine/rocksdb/disk_reserve.h"
#include "storage/engine/rocksdb/memory_reserve.h"
#include "storage/engine/rocksdb/recovery_manifest.h"
#include "storage/engine/rocksdb/rocksdb_background.h"
#include "storage/engine/rocksdb/rocksdb_cursor.h"
#include "storage/engine/rocksdb/rocksdb_damage.h"
#include "storage/engine/rocksdb/rocksdb_file_system.h"
#include "storage/engine/rocksdb/rocksdb_options.h"
#include "storage/engine/rocksdb/rocksdb_saved_stores.h"
#include "storage/engine/rocksdb/rocksdb_startup.h"
#include "storage/engine/rocksdb/rocksdb_tree.h"
#include "storage/engine/rocksdb/rocksdb_warnings.h"
#include "storage/engine/rocksdb/rocksdb_writer.h"
#include "storage/engine/rocksdb/store_files.h"
#include "storage/engine/rocksdb/store_paths.h"
#include "storage/engine/rocksdb/wal_reservation.h"
#include "storage/engine/tree_registry.h"
#include "storage/messages/directory_messages.h"

namespace magneto::storage {
namespace {

class RocksdbEngine final : public LockingEngine, public LocalDisk {
 public:
  // `place`: the store's paths in `directory`.
  RocksdbEngine(const RocksdbOptions& options, std::shared_ptr<DataDirectory> directory,
                StorePaths place);
  ~RocksdbEngine() override;

  bool is_durable() const override { return true; }
  bool commit_waits() const override {
    return sync_writes_ || background_.is_stalled.load(std::memory_order_relaxed);
  }

  TreePtr open_tree(ColumnFamily family, std::string prefix, std::string lower,
                    std::string upper) override {
    return registry_->open({family, prefix, lower, upper}, [&] {
      return new RocksdbTree(family, std::move(prefix), std::move(lower), std::move(upper),
                             handles_[static_cast<std::size_t>(family)]);
    });
  }

  PinnedValue get(const Tree& tree, std::string_view key) const override {
    return get_at(tree, key, nullptr);
  }
  void get(std::span<const KeyRead> reads, std::span<PinnedValue> values) const override;

  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction, ScanHint hint) const override;
  using Engine::scan;
  SnapshotPtr snapshot() override { return std::make_shared<RocksdbSnapshot>(*this); }
  bool changed_since(const Snapshot& snapshot) const override {
    return static_cast<const RocksdbSnapshot&>(snapshot).is_old();
  }

  bool keeps_replaced() const override { return false; }

  void commit(const WriteBatch& batch) override;
  void clear(Tree& tree) override;
  void require_format(int format) override { directory_->require_format(format); }
  std::uint64_t estimate_size(const Tree& tree) const override;
  std::string describe_refusal() override {
    const MemoryInHand memory(std::nothrow);
    return writer_->describe_refusal();
  }
  EngineStatistics statistics() const override;
  LocalDisk* local_disk() override { return this; }

  void reclaim(Tree& tree) override;
  std::shared_ptr<SavedStores> saved_stores() override;
  void save(std::string_view name, std::string_view note,
            const std::function<void()>& prepare) override;
  void make_current() override { directory_->make_current(files_.place()); }

 private:
  class RocksdbSnapshot final : public Snapshot {
   public:
    explicit RocksdbSnapshot(RocksdbEngine& engine) : engine_(engine) {
      const MemoryInHand memory;
      const std::lock_guard lock(engine_.snapshot_mutex_);
      ++engine_.snapshots_;
      snapshot_ = engine_.database_->GetSnapshot();
    }
    ~RocksdbSnapshot() override {
      const MemoryInHand memory(std::nothrow);
      engine_.database_->ReleaseSnapshot(snapshot_);
      --engine_.snapshots_;
    }
    RocksdbSnapshot(const RocksdbSnapshot&) = delete;
    RocksdbSnapshot& operator=(const RocksdbSnapshot&) = delete;

    bool is_old() const {
      return engine_.database_->GetLatestSequenceNumber() != snapshot_->GetSequenceNumber();
    }

    using Snapshot::get;
    using Snapshot::scan;
    PinnedValue get(const Tree& tree, std::string_view key) const override {
      return engine_.get_at(tree, key, snapshot_);
    }
    std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                                 Direction direction, ScanHint hint) const override {
      return make_rocksdb_cursor(*engine_.database_, engine_.directory_->path(),
                                 RocksdbTree::of(tree), lower, upper, direction, hint, snapshot_);
    }

   private:
    RocksdbEngine& engine_;
    const rocksdb::Snapshot* snapshot_ = nullptr;
  };

  PinnedValue get_at(const Tree& tree, std::string_view key,
                     const rocksdb::Snapshot* snapshot) const;
  void get_few(std::span<const KeyRead> reads, std::span<PinnedValue> values) const;
  void drop_tables(const RocksdbTree& tree);
  bool leave_clean_logs();
  void close();
  void check(const rocksdb::Status& status, const char* operation) const {
    storage::check(status, *database_, operation, directory_->path());
  }

  const std::shared_ptr<DataDirectory> directory_;
  const StoreFiles files_;  // the members below have closed the files when this one is destroyed
  const std::string engine_path_;
  DiskReserve reserve_;
  WalReservation wal_reservation_;
  RecoveryManifest recovery_manifest_;
  const std::unique_ptr<rocksdb::Env> environment_;
  BackgroundState background_;
  const std::shared_ptr<LastWarning> last_warning_ = std::make_shared<LastWarning>();
  const bool sync_writes_;
  std::atomic<int> snapshots_{0};  // held
  std::mutex snapshot_mutex_;      // no snapshot is taken while tables are dropped
  const rocksdb::ReadOptions read_options_ = read_options();
  std::unique_ptr<rocksdb::DB> database_;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;  // by ColumnFamily
  std::unique_ptr<RocksdbWriter> writer_;
  const std::shared_ptr<TreeRegistry> registry_ = std::make_shared<TreeRegistry>();
};

RocksdbEngine::RocksdbEngine(const RocksdbOptions& options,
                             std::shared_ptr<DataDirectory> directory, StorePaths place)
    : LocalDisk(place.computed_path()),
      directory_(std::move(directory)),
      files_(*directory_, std::move(place)),
      engine_path_(files_.place().engine_path()),
      reserve_(files_.place().reserve_path(), most_unflushed(options)),
      wal_reservation_(files_.place().segment_path()),
      recovery_manifest_(files_.place().recovery_manifest_path(), engine_path_),
      environment_(
          rocksdb::NewCompositeEnv(make_file_system(wal_reservation_, recovery_manifest_))),
      sync_writes_(options.sync_writes) {
  const MemoryInHand memory;
  directory_->check_not_headless(files_.place());
  recovery_manifest_.check();
  rocksdb::DBOptions database = database_options(options);
  if (!recovery_manifest_.may_have_torn_log()) {
    database.wal_recovery_mode = rocksdb::WALRecoveryMode::kAbsoluteConsistency;
  }
  database.env = environment_.get();
  database.listeners = {make_background_listener(background_)};
  database.info_log = make_warning_log(engine_path_, last_warning_);
  const std::vector<rocksdb::ColumnFamilyDescriptor> families = column_families(options, database);
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::Open(database, engine_path_, families, &handles_, &opened);
  database_.reset(opened);
  if (!status.ok()) {
    throw EngineError(describe_failed_opening(directory_->path(), engine_path_, describe(status),
                                              last_warning_->text()));
  }
  try {
    recovery_manifest_.check_sequence(database_->GetLatestSequenceNumber());
  } catch (...) {
    close();
    throw;
  }
  writer_ = std::make_unique<RocksdbWriter>(RocksdbWriterParts{.database = *database_,
                                                               .directory = directory_->path(),
                                                               .background = background_,
                                                               .wal_reservation = wal_reservation_,
                                                               .reserve = reserve_},
                                            sync_writes_);
}

RocksdbEngine::~RocksdbEngine() {
  const MemoryInHand memory(std::nothrow);
  const bool is_clean = leave_clean_logs();
  const std::uint64_t sequence = database_->GetLatestSequenceNumber();
  close();
  if (is_clean) recovery_manifest_.record_end(sequence);
}

void RocksdbEngine::close() {
  for (rocksdb::ColumnFamilyHandle* handle : handles_) database_->DestroyColumnFamilyHandle(handle);
  database_.reset();
}

// Whether everything is on disk and no log that remains after close() ends with a torn record. A
// flush removes torn records of a killed process.
bool RocksdbEngine::leave_clean_logs() {
  if (!directory_->is_current(files_.place())) return false;  // the files will be deleted
  const bool must_flush = recovery_manifest_.may_have_torn_log();
  // After a resume, RocksDB (release 7.8) does not wait for a flush.
  if (background_.is_log_broken || (must_flush && writer_->has_resumed())) return false;
  // Replaying a long log or many logs at the next start takes longer than writing tables now.
  constexpr std::uint64_t kLongLog = 4 << 20;
  constexpr std::size_t kManyLogs = 5;  // each start adds one
  std::uint64_t unwritten = 0;
  database_->GetAggregatedIntProperty("rocksdb.cur-size-all-mem-tables", &unwritten);
  const bool is_worth_it = unwritten >= kLongLog || recovery_manifest_.count_logs() >= kManyLogs;
  if ((must_flush || is_worth_it) &&
      !writer_->flush(handles_, WalReservation::Purpose::kFreeSpace).ok() && must_flush)
    return false;
  return database_->SyncWAL().ok();
}

PinnedValue pinned_value(std::unique_ptr<rocksdb::PinnableSlice> slice) {
  const std::string_view bytes = slice->ToStringView();
  return {bytes, slice.release(),
          [](void* owner) { delete static_cast<rocksdb::PinnableSlice*>(owner); }};
}

PinnedValue RocksdbEngine::get_at(const Tree& tree, std::string_view key,
                                  const rocksdb::Snapshot* snapshot) const {
  const MemoryInHand memory;
  rocksdb::ReadOptions options = read_options_;
  options.snapshot = snapshot;
  auto value = std::make_unique<rocksdb::PinnableSlice>();
  const rocksdb::Status status =
      database_->Get(options, RocksdbTree::of(tree).handle(), key, value.get());
  if (status.IsNotFound()) return {};
  check(status, "read");
  return pinned_value(std::move(value));
}

void RocksdbEngine::get(std::span<const KeyRead> reads, std::span<PinnedValue> values) const {
  if (reads.size() == 1) {
    values.front() = get(*reads.front().tree, reads.front().key);
    return;
  }
  // This many values of 400 KB fit into even the smallest memory reserve (memory_reserve.h).
  constexpr std::size_t kAtOnce = 16;
  for (std::size_t begin = 0; begin < reads.size(); begin += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, reads.size() - begin);
    get_few(reads.subspan(begin, count), values.subspan(begin, count));
  }
}

void RocksdbEngine::get_few(std::span<const KeyRead> reads, std::span<PinnedValue> values) const {
  const MemoryInHand memory;
  std::vector<rocksdb::ColumnFamilyHandle*> families;
  std::vector<rocksdb::Slice> keys;
  families.reserve(reads.size());
  keys.reserve(reads.size());
  for (const KeyRead& read : reads) {
    families.push_back(RocksdbTree::of(*read.tree).handle());
    keys.emplace_back(read.key);
  }
  std::vector<rocksdb::PinnableSlice> found(reads.size());
  std::vector<rocksdb::Status> statuses(reads.size());
  database_->MultiGet(read_options_, reads.size(), families.data(), keys.data(), found.data(),
                      statuses.data());
  for (std::size_t i = 0; i < reads.size(); ++i) {
    values[i] = {};
    if (statuses[i].IsNotFound()) continue;
    check(statuses[i], "read");
    values[i] = pinned_value(std::make_unique<rocksdb::PinnableSlice>(std::move(found[i])));
  }
}

std::unique_ptr<Cursor> RocksdbEngine::scan(const Tree& tree, std::string_view lower,
                                            std::string_view upper, Direction direction,
                                            ScanHint hint) const {
  return make_rocksdb_cursor(*database_, directory_->path(), RocksdbTree::of(tree), lower, upper,
                             direction, hint);
}

// Counts data in files only, not in memory tables.
std::uint64_t RocksdbEngine::estimate_size(const Tree& tree) const {
  const MemoryInHand memory;
  const RocksdbTree& of = RocksdbTree::of(tree);
  const rocksdb::Range range(of.lower(), of.upper());
  std::uint64_t bytes = 0;
  database_->GetApproximateSizes(of.handle(), &range, 1, &bytes);
  return bytes;
}

void RocksdbEngine::commit(const WriteBatch& batch) {
  constexpr std::size_t kLargestKept = 64 << 10;
  const MemoryInHand memory;
  thread_local rocksdb::WriteBatch encoded;
  encoded.Clear();
  for (const WriteBatch::Operation& operation : batch.operations()) {
    rocksdb::ColumnFamilyHandle* handle = RocksdbTree::of(*operation.tree).handle();
    check(operation.is_delete ? encoded.Delete(handle, operation.key)
                              : encoded.Put(handle, operation.key, operation.value),
          messages::kWriteTo);
  }
  writer_->write(encoded, RocksdbWriter::purpose_of(batch), batch.is_synced());
  if (encoded.GetDataSize() > kLargestKept) encoded = rocksdb::WriteBatch();
}

// Drops tables that hold only this tree, and deletes the rest key by key. Ranges are neither
// deleted nor read: RocksDB (release 7.8) takes a damaged table for the end of a deleted range, in
// levels below the first.
void RocksdbEngine::clear(Tree& tree) {
  constexpr std::uint32_t kKeysPerBatch = 1'000;
  const RocksdbTree& range = RocksdbTree::of(tree);
  drop_tables(range);
  const auto cursor = scan(range, {}, {}, Direction::kForward);
  rocksdb::WriteBatch batch;
  for (bool at_end = false; !at_end; batch.Clear()) {
    const MemoryInHand memory;
    while (batch.Count() < kKeysPerBatch && !at_end) {
      at_end = !cursor->next();
      if (!at_end) check(batch.Delete(range.handle(), cursor->key()), messages::kWriteTo);
    }
    if (batch.Count() > 0) writer_->write(batch, WalReservation::Purpose::kAny);
  }
}

// Drops the tables that hold only keys of the tree, without reading them, and with the data that
// snapshots would see in them.
void RocksdbEngine::drop_tables(const RocksdbTree& tree) {
  if (tree.upper().empty()) return;
  const std::lock_guard lock(snapshot_mutex_);
  if (snapshots_ != 0) return;
  const MemoryInHand memory;
  const rocksdb::Slice first = tree.lower();
  const rocksdb::Slice last = tree.upper();
  check(rocksdb::DeleteFilesInRange(database_.get(), tree.handle(), &first, &last, false),
        messages::kReclaimSpaceIn);
}

// Compaction removes the tree's data from tables by merging it with the deletions. The deletions
// must be in a table themselves for that.
void RocksdbEngine::reclaim(Tree& tree) {
  constexpr std::uint64_t kWorthIt = 1 << 20;
  const RocksdbTree& range = RocksdbTree::of(tree);
  if (range.upper().empty() || estimate_size(range) < kWorthIt) return;
  const MemoryInHand memory;
  check(writer_->flush(handles_, WalReservation::Purpose::kAny), messages::kReclaimSpaceIn);
  rocksdb::CompactRangeOptions options;
  options.exclusive_manual_compaction = false;
  options.allow_write_stall = true;
  const rocksdb::Slice first = range.lower();
  const rocksdb::Slice last = range.upper();
  check(database_->CompactRange(options, range.handle(), &first, &last), messages::kReclaimSpaceIn);
}

// Writes the log's contents into tables first, so that little of the log must be copied.
void RocksdbEngine::save(std::string_view name, std::string_view note,
                         const std::function<void()>& prepare) {
  {
    const MemoryInHand memory;
    rocksdb::WriteBatch nothing;  // resumes RocksDB after a full disk
    writer_->write(nothing, WalReservation::Purpose::kAny);
    check(writer_->flush(handles_, WalReservation::Purpose::kAny), messages::kWriteTo);
  }
  directory_->save(name, note, [&](const std::string& engine_path) {
    LiveFiles files(*database_);
    {
      const ScopePausePtr pause = pause_scopes();
      prepare();
      const MemoryInHand memory;
      files.note();
    }
    files.copy_to(engine_path);
  });
}

std::shared_ptr<SavedStores> RocksdbEngine::saved_stores() {
  const auto open = [directory = directory_, sync_writes = sync_writes_](
                        StorePaths place, std::uint64_t memory_budget) -> std::unique_ptr<Engine> {
    const RocksdbOptions options{
        .directory = directory->path(), .sync_writes = sync_writes, .memory_budget = memory_budget};
    return std::make_unique<RocksdbEngine>(options, directory, std::move(place));
  };
  return std::make_shared<RocksdbSavedStores>(directory_, open);
}

EngineStatistics RocksdbEngine::statistics() const {
  const MemoryInHand memory;
  const auto sum = [this](const std::string& property) {
    std::uint64_t value = 0;
    database_->GetAggregatedIntProperty(property, &value);
    return value;
  };
  // Properties of the whole database, not of a family.
  const auto whole = [this](const std::string& property) {
    std::uint64_t value = 0;
    database_->GetIntProperty(property, &value);
    return value;
  };
  using Name = rocksdb::DB::Properties;
  DiskStatistics disk{.memory_table_bytes = sum(Name::kSizeAllMemTables),
                      .block_cache_bytes = whole(Name::kBlockCacheUsage),
                      .table_reader_bytes = sum(Name::kEstimateTableReadersMem),
                      .table_bytes = sum(Name::kTotalSstFilesSize),
                      .pending_compaction_bytes = sum(Name::kEstimatePendingCompactionBytes),
                      .running_flushes = whole(Name::kNumRunningFlushes),
                      .running_compactions = whole(Name::kNumRunningCompactions),
                      .background_errors = whole(Name::kBackgroundErrors),
                      .is_stalled = background_.is_stalled};
  for (rocksdb::ColumnFamilyHandle* handle : handles_) {
    std::string files;
    database_->GetProperty(handle, Name::kNumFilesAtLevelPrefix + "0", &files);
    disk.level0_files += static_cast<std::uint64_t>(std::atoll(files.c_str()));
  }
  return {.cache = {}, .disk = disk};
}

}  // namespace

std::unique_ptr<Engine> open_rocksdb_engine(const RocksdbOptions& options) {
  initialize_rocksdb();
  auto directory = std::make_shared<DataDirectory>(options.directory);
  auto engine = std::make_unique<RocksdbEngine>(options, directory, directory->place());
  directory->remove_leftovers();
  return engine;
}

}  // namespace magneto::storage
