#include "storage/engine/rocksdb/rocksdb_engine.h"

#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/engine/rocksdb/data_directory.h"
#include "storage/engine/rocksdb/disk_reserve.h"
#include "storage/engine/rocksdb/file_ledger.h"
#include "storage/engine/rocksdb/log_space.h"
#include "storage/engine/rocksdb/rocksdb_background.h"
#include "storage/engine/rocksdb/rocksdb_damage.h"
#include "storage/engine/rocksdb/rocksdb_file_system.h"
#include "storage/engine/rocksdb/rocksdb_options.h"
#include "storage/engine/rocksdb/rocksdb_startup.h"
#include "storage/engine/rocksdb/unseen_by_thread_sanitizer.h"
#include "storage/engine/tree_registry.h"

namespace magneto::storage {

namespace {

rocksdb::Slice slice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
std::string_view view(const rocksdb::Slice& bytes) { return {bytes.data(), bytes.size()}; }

class RocksdbTree final : public Tree {
 public:
  RocksdbTree(Family family, std::string prefix, std::string lower, std::string upper,
              rocksdb::ColumnFamilyHandle* handle)
      : Tree(family, prefix),
        lower_(lower.empty() ? prefix : std::move(lower)),
        upper_(upper.empty() ? prefix_successor(std::move(prefix)) : std::move(upper)),
        handle_(handle) {}

  const std::string& lower() const { return lower_; }
  const std::string& upper() const { return upper_; }  // empty: to the end of the family
  rocksdb::ColumnFamilyHandle* handle() const { return handle_; }

 private:
  const std::string lower_;
  const std::string upper_;
  rocksdb::ColumnFamilyHandle* const handle_;
};

const RocksdbTree& rocksdb_tree(const Tree& tree) { return static_cast<const RocksdbTree&>(tree); }

rocksdb::Status no_space() { return rocksdb::Status::NoSpace("No space left on device"); }

// Of a flush or compaction, remembered by RocksDB until it is resumed.
bool is_background_error(const rocksdb::Status& status) {
  return status.severity() != rocksdb::Status::Severity::kNoError;
}

// Throws an EngineError unless `status` is good.
void check(rocksdb::DB& database, const std::string& directory, const rocksdb::Status& status,
           const char* operation) {
  if (status.ok()) return;
  throw EngineError("cannot " + std::string(operation) + " data directory " + directory + ": " +
                    explain(database, status));
}

rocksdb::ReadOptions read_options() {
  rocksdb::ReadOptions options;
  options.ignore_range_deletions = true;  // there are none, see RocksdbEngine::clear
  return options;
}

class RocksdbCursor final : public Cursor {
 public:
  RocksdbCursor(rocksdb::DB& database, const RocksdbTree& tree, std::string_view lower,
                std::string_view upper, Direction direction, const std::string& directory)
      : lower_(std::max(lower, std::string_view(tree.lower()))),
        upper_(upper.empty()          ? std::string_view(tree.upper())
               : tree.upper().empty() ? upper
                                      : std::min(upper, std::string_view(tree.upper()))),
        lower_bound_(lower_),
        upper_bound_(upper_),
        is_forward_(direction == Direction::kForward),
        database_(database),
        directory_(directory) {
    rocksdb::ReadOptions options = read_options();
    options.iterate_lower_bound = &lower_bound_;
    if (!upper_.empty()) options.iterate_upper_bound = &upper_bound_;
    iterator_.reset(database.NewIterator(options, tree.handle()));
  }

  bool next() override {
    if (at_end_) return false;
    if (!is_started_) {
      is_started_ = true;
      if (is_forward_) {
        iterator_->SeekToFirst();
      } else {
        iterator_->SeekToLast();
      }
    } else if (is_forward_) {
      iterator_->Next();
    } else {
      iterator_->Prev();
    }
    if (iterator_->Valid()) return true;
    at_end_ = true;
    check(database_, directory_, iterator_->status(), "scan");
    return false;
  }

  std::string_view key() const override { return view(iterator_->key()); }
  std::string_view value() const override { return view(iterator_->value()); }

 private:
  const std::string lower_;
  const std::string upper_;
  const rocksdb::Slice lower_bound_;
  const rocksdb::Slice upper_bound_;
  const bool is_forward_;
  rocksdb::DB& database_;
  const std::string& directory_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
  bool is_started_ = false;
  bool at_end_ = false;
};

// Stands for the log file, whose writer would abort the process on a full disk, and remembers the
// last warning that names a file of the directory: an error's status does not always do so.
class WarningLog final : public rocksdb::Logger {
 public:
  explicit WarningLog(std::string directory)
      : Logger(rocksdb::InfoLogLevel::WARN_LEVEL), directory_(std::move(directory)) {}

  using rocksdb::Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    constexpr std::size_t kLongest = 512;
    std::string line(kLongest, '\0');
    const int size = std::vsnprintf(line.data(), line.size(), format, arguments);
    line.resize(std::min(static_cast<std::size_t>(std::max(size, 0)), kLongest - 1));
    const std::size_t path = line.find(directory_ + "/");
    if (path == std::string::npos) return;
    std::lock_guard lock(mutex_);
    last_ = line.substr(path);
  }

  std::string last() const {
    std::lock_guard lock(mutex_);
    return last_;
  }

 private:
  const std::string directory_;
  mutable std::mutex mutex_;  // guards last_
  std::string last_;
};

class RocksdbEngine final : public Engine {
 public:
  explicit RocksdbEngine(const RocksdbOptions& options);
  ~RocksdbEngine() override;

  bool is_durable() const override { return true; }
  bool commit_waits() const override {
    return write_options_.sync || background_.is_stalled.load(std::memory_order_relaxed);
  }

  TreePtr open_tree(Family family, std::string prefix, std::string lower,
                    std::string upper) override {
    return registry_->open({family, prefix, lower, upper}, [&] {
      return new RocksdbTree(family, std::move(prefix), std::move(lower), std::move(upper),
                             handles_[static_cast<std::size_t>(family)]);
    });
  }

  StoredValue get(const Tree& tree, std::string_view key) const override;

  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction) const override;

  void commit(const WriteBatch& batch) override;
  void clear(Tree& tree) override;
  void reclaim(Tree& tree) override;
  void require_format(int format) override { directory_.require_format(format); }
  std::uint64_t estimate_size(const Tree& tree) const override;
  std::uint64_t disk_usage() const override;

 private:
  void drop_tables(const RocksdbTree& tree);
  rocksdb::Status flush(LogSpace::Purpose purpose);
  void write(rocksdb::WriteBatch& batch, LogSpace::Purpose purpose);
  rocksdb::Status write_when_not_stopped(rocksdb::WriteBatch& batch, LogSpace::Purpose purpose);
  rocksdb::Status write_once(rocksdb::WriteBatch& batch, LogSpace::Purpose purpose);
  bool release_reserve(LogSpace::Purpose purpose);
  bool resume(LogSpace::Purpose purpose, std::uint64_t seen);
  bool leave_clean_logs();
  bool is_flush_worth_it() const;
  void close();
  std::string describe_failed_opening(const std::string& cause) const;
  void check(const rocksdb::Status& status, const char* operation) const;

  DataDirectory directory_;
  DiskReserve reserve_;
  LogSpace log_space_;
  FileLedger ledger_;
  const std::unique_ptr<rocksdb::Env> environment_;
  BackgroundState background_;
  const std::shared_ptr<WarningLog> warnings_ =
      std::make_shared<WarningLog>(directory_.engine_path());
  rocksdb::WriteOptions write_options_;
  const rocksdb::ReadOptions read_options_ = read_options();
  std::unique_ptr<rocksdb::DB> database_;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;  // by Family
  const std::shared_ptr<TreeRegistry> registry_ = std::make_shared<TreeRegistry>();

  std::atomic<std::uint64_t> resumed_ = 0;  // how often; changed with resume_mutex_ held
  std::timed_mutex resume_mutex_;           // guards next_resume_
  std::array<std::chrono::steady_clock::time_point, 2> next_resume_;  // by LogSpace::Purpose
};

// The tables of two full write buffers: the one that had no room, and what was written meanwhile.
constexpr std::uint64_t kReservedDisk = 16ULL << 20;

// RocksDB starts an empty database, and deletes the files of the old one, when CURRENT is missing.
// It writes tables and logs only after CURRENT.
void check_not_headless(const DataDirectory& directory) {
  const std::filesystem::path path = directory.engine_path();
  if (!std::filesystem::exists(path) || std::filesystem::exists(path / "CURRENT")) return;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".sst" || extension == ".log") {
      throw EngineError("data directory " + directory.path() +
                        " is damaged: " + (path / "CURRENT").string() + " is missing");
    }
  }
}

RocksdbEngine::RocksdbEngine(const RocksdbOptions& options)
    : directory_(options.directory),
      reserve_(directory_.reserve_path(), kReservedDisk),
      log_space_(directory_.spare_path()),
      ledger_(directory_.ledger_path(), directory_.engine_path()),
      environment_(rocksdb::NewCompositeEnv(make_file_system(log_space_, ledger_))) {
  check_not_headless(directory_);
  ledger_.check();
  write_options_.sync = options.sync_writes;
  rocksdb::DBOptions database = database_options(options);
  if (!ledger_.may_have_torn_log()) {
    database.wal_recovery_mode = rocksdb::WALRecoveryMode::kAbsoluteConsistency;
  }
  database.env = environment_.get();
  database.listeners = {make_background_listener(background_)};
  database.info_log = warnings_;
  const std::vector<rocksdb::ColumnFamilyDescriptor> families = column_families(options, database);
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::Open(database, directory_.engine_path(), families, &handles_, &opened);
  database_.reset(opened);
  if (!status.ok()) throw EngineError(describe_failed_opening(describe(status)));
  try {
    ledger_.check_sequence(database_->GetLatestSequenceNumber());
  } catch (...) {
    close();
    throw;
  }
}

std::string RocksdbEngine::describe_failed_opening(const std::string& cause) const {
  const std::string table = find_damaged_table(directory_.engine_path(), cause);
  if (!table.empty()) {
    return "cannot open data directory " + directory_.path() + ": " + table;
  }
  const bool names_file = cause.find(directory_.path()) != std::string::npos;
  return "cannot open data directory " + directory_.path() + ": " + cause +
         (names_file || warnings_->last().empty() ? "" : " (" + warnings_->last() + ")");
}

RocksdbEngine::~RocksdbEngine() {
  const bool is_clean = leave_clean_logs();
  const std::uint64_t sequence = database_->GetLatestSequenceNumber();
  close();
  if (is_clean) ledger_.note_end(sequence);
}

void RocksdbEngine::close() {
  for (rocksdb::ColumnFamilyHandle* handle : handles_) database_->DestroyColumnFamilyHandle(handle);
  database_.reset();
}

// Whether everything is on disk and no log that remains after close() ends with a torn record. What
// a killed process left goes with a flush.
bool RocksdbEngine::leave_clean_logs() {
  const bool must_flush = ledger_.may_have_torn_log();
  // Once resumed, RocksDB (release 7.8) does not wait for a flush.
  if (background_.is_log_broken || (must_flush && resumed_ != 0)) return false;
  if ((must_flush || is_flush_worth_it()) && !flush(LogSpace::Purpose::kFreeSpace).ok() &&
      must_flush)
    return false;
  return database_->SyncWAL().ok();
}

// Replaying a long log takes longer at the next start than writing tables takes now.
bool RocksdbEngine::is_flush_worth_it() const {
  constexpr std::uint64_t kWorthIt = 4 << 20;
  std::uint64_t unwritten = 0;
  return database_->GetAggregatedIntProperty("rocksdb.cur-size-all-mem-tables", &unwritten) &&
         unwritten >= kWorthIt;
}

void RocksdbEngine::check(const rocksdb::Status& status, const char* operation) const {
  storage::check(*database_, directory_.path(), status, operation);
}

StoredValue RocksdbEngine::get(const Tree& tree, std::string_view key) const {
  auto value = std::make_unique<rocksdb::PinnableSlice>();
  const rocksdb::Status status =
      database_->Get(read_options_, rocksdb_tree(tree).handle(), slice(key), value.get());
  if (status.IsNotFound()) return {};
  check(status, "read");
  const std::string_view bytes = view(*value);
  return {bytes, value.release(),
          [](void* owner) { delete static_cast<rocksdb::PinnableSlice*>(owner); }};
}

std::unique_ptr<Cursor> RocksdbEngine::scan(const Tree& tree, std::string_view lower,
                                            std::string_view upper, Direction direction) const {
  return std::make_unique<RocksdbCursor>(*database_, rocksdb_tree(tree), lower, upper, direction,
                                         directory_.path());
}

// Of what lies in files; what is in memory tables is left out.
std::uint64_t RocksdbEngine::estimate_size(const Tree& tree) const {
  const RocksdbTree& of = rocksdb_tree(tree);
  const rocksdb::Range range(slice(of.lower()), slice(of.upper()));
  std::uint64_t bytes = 0;
  database_->GetApproximateSizes(of.handle(), &range, 1, &bytes);
  return bytes;
}

void RocksdbEngine::commit(const WriteBatch& batch) {
  constexpr std::size_t kLargestKept = 64 << 10;
  thread_local rocksdb::WriteBatch encoded;
  encoded.Clear();
  for (const WriteBatch::Operation& operation : batch.operations()) {
    rocksdb::ColumnFamilyHandle* handle = rocksdb_tree(*operation.tree).handle();
    check(operation.is_delete ? encoded.Delete(handle, slice(operation.key))
                              : encoded.Put(handle, slice(operation.key), slice(operation.value)),
          "write to");
  }
  write(encoded, batch.frees_space() ? LogSpace::Purpose::kFreeSpace : LogSpace::Purpose::kAny);
  if (encoded.GetDataSize() > kLargestKept) encoded = rocksdb::WriteBatch();
}

// RocksDB refuses writes after a background error, such as a table that a full disk had no room
// for, until told to resume.
void RocksdbEngine::write(rocksdb::WriteBatch& batch, LogSpace::Purpose purpose) {
  constexpr int kAttempts = 3;  // what was mended once may be broken anew
  rocksdb::Status status;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const std::uint64_t resumed = resumed_;
    status = write_when_not_stopped(batch, purpose);
    if (status.ok() || background_.is_log_broken) break;
    Effort::before_waiting();
    const bool is_worth_it =
        is_background_error(status) ? resume(purpose, resumed) : release_reserve(purpose);
    if (!is_worth_it) break;
  }
  check(status, background_.is_log_broken ? "write (until restarted) to" : "write to");
}

// Once a compaction has failed, RocksDB (release 7.8) remembers that for ever, and does not wait
// any more where it would let a write wait for a flush or a compaction.
rocksdb::Status RocksdbEngine::write_when_not_stopped(rocksdb::WriteBatch& batch,
                                                      LogSpace::Purpose purpose) {
  for (;;) {
    rocksdb::Status status = write_once(batch, purpose);
    if (!status.IsIncomplete()) return status;
    Effort::before_waiting();
    if (background_.compactions_fail) return no_space();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

rocksdb::Status RocksdbEngine::write_once(rocksdb::WriteBatch& batch, LogSpace::Purpose purpose) {
  // What was given up to free space is not for other writes.
  if (purpose == LogSpace::Purpose::kAny && !reserve_.hold()) return no_space();
  const LogSpace::Permit permit = log_space_.admit(batch.GetDataSize(), purpose);
  if (!permit) return no_space();
  const UnseenByThreadSanitizer unseen;
  return database_->Write(write_options_, &batch);
}

bool RocksdbEngine::release_reserve(LogSpace::Purpose purpose) {
  if (purpose != LogSpace::Purpose::kFreeSpace) return false;
  reserve_.release();
  return true;
}

// For a write that met a background error; `seen` is resumed_ from before it. Not without such an
// error: with none to resume from, RocksDB (release 7.8) would wait here for as long as compactions
// fail, which a full disk makes them do. Nor while a flush runs, or pauses after a failure: it
// might drop another that is asked for meanwhile, and this would wait for that. Tries at most once
// in a while, since it costs a flush.
bool RocksdbEngine::resume(LogSpace::Purpose purpose, std::uint64_t seen) {
  constexpr std::chrono::milliseconds kPause(500);
  constexpr std::chrono::seconds kPatience(2);
  const std::unique_lock lock(resume_mutex_, kPatience);
  if (!lock) return false;
  if (resumed_ != seen) return true;
  auto& next = next_resume_[static_cast<std::size_t>(purpose)];
  if (std::chrono::steady_clock::now() < next) return false;
  release_reserve(purpose);
  std::uint64_t flushes = 0;
  database_->GetIntProperty(rocksdb::DB::Properties::kNumRunningFlushes, &flushes);
  if (flushes > 0) return false;
  const LogSpace::Permit permit = log_space_.admit(0, purpose);
  if (!permit) return false;
  if (database_->Resume().ok()) {
    ++resumed_;
    return true;
  }
  next = std::chrono::steady_clock::now() + kPause;
  return false;
}

// Key by key but for what lies in tables of its own: RocksDB takes a damaged table for the end of a
// deleted range (levels below the first, release 7.8), so ranges are not deleted, and not read.
void RocksdbEngine::clear(Tree& tree) {
  constexpr std::uint32_t kKeysPerBatch = 1'000;
  const RocksdbTree& range = rocksdb_tree(tree);
  drop_tables(range);
  const auto cursor = scan(range, {}, {}, Direction::kForward);
  rocksdb::WriteBatch batch;
  for (bool at_end = false; !at_end; batch.Clear()) {
    while (batch.Count() < kKeysPerBatch && !at_end) {
      at_end = !cursor->next();
      if (!at_end) check(batch.Delete(range.handle(), slice(cursor->key())), "write to");
    }
    if (batch.Count() > 0) write(batch, LogSpace::Purpose::kAny);
  }
}

// Those that hold nothing but keys of the tree, unread.
void RocksdbEngine::drop_tables(const RocksdbTree& tree) {
  if (tree.upper().empty()) return;
  const rocksdb::Slice first = slice(tree.lower());
  const rocksdb::Slice last = slice(tree.upper());
  check(rocksdb::DeleteFilesInRange(database_.get(), tree.handle(), &first, &last, false),
        "reclaim space in");
}

// What tables hold of the tree goes when they are merged with the deletions, which must be in a
// table themselves for that.
void RocksdbEngine::reclaim(Tree& tree) {
  constexpr std::uint64_t kWorthIt = 1 << 20;
  const RocksdbTree& range = rocksdb_tree(tree);
  if (range.upper().empty() || estimate_size(range) < kWorthIt) return;
  check(flush(LogSpace::Purpose::kAny), "reclaim space in");
  rocksdb::CompactRangeOptions options;
  options.exclusive_manual_compaction = false;
  options.allow_write_stall = true;
  const rocksdb::Slice first = slice(range.lower());
  const rocksdb::Slice last = slice(range.upper());
  check(database_->CompactRange(options, range.handle(), &first, &last), "reclaim space in");
}

// Writes what is only in the log into tables, which lets go of the log.
rocksdb::Status RocksdbEngine::flush(LogSpace::Purpose purpose) {
  const LogSpace::Permit permit = log_space_.admit(0, purpose);
  if (!permit) return no_space();
  rocksdb::FlushOptions options;
  options.allow_write_stall = true;  // else it waits for compactions, which a full disk makes fail
  return database_->Flush(options, handles_);
}

std::uint64_t RocksdbEngine::disk_usage() const {
  std::uint64_t bytes = 0;
  std::error_code error;
  std::filesystem::directory_iterator entry(directory_.engine_path(), error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    std::error_code vanished;  // a file that a compaction just deleted
    const std::uintmax_t size = entry->file_size(vanished);
    if (!vanished) bytes += size;
  }
  if (error) throw EngineError("cannot list " + directory_.engine_path() + ": " + error.message());
  return bytes;
}

}  // namespace

std::unique_ptr<Engine> open_rocksdb_engine(const RocksdbOptions& options) {
  initialize_rocksdb();
  return std::make_unique<RocksdbEngine>(options);
}

}  // namespace magneto::storage
