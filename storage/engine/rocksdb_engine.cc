#include "storage/engine/rocksdb_engine.h"

#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/experimental.h>
#include <rocksdb/file_system.h>
#include <rocksdb/listener.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/engine/data_directory.h"
#include "storage/engine/file_ledger.h"
#include "storage/engine/log_space.h"
#include "storage/engine/rocksdb_file_system.h"
#include "storage/engine/rocksdb_options.h"

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
        directory_(directory) {
    rocksdb::ReadOptions options;
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
    if (!iterator_->status().ok()) {
      throw EngineError("cannot scan " + directory_ + ": " + iterator_->status().ToString());
    }
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
  const std::string& directory_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
  bool is_started_ = false;
  bool at_end_ = false;
};

// Leaves it to the engine when to resume after a background error.
class ErrorListener final : public rocksdb::EventListener {
 public:
  const char* Name() const override { return "ErrorListener"; }

  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status*) override {
    if (reason == rocksdb::BackgroundErrorReason::kWriteCallback ||
        reason == rocksdb::BackgroundErrorReason::kMemTable) {
      is_log_broken_ = true;
    }
  }
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status,
                            bool* auto_recovery) override {
    *auto_recovery = false;
  }

  // A record was not written whole: only opening anew is safe then.
  bool is_log_broken() const { return is_log_broken_; }

 private:
  std::atomic<bool> is_log_broken_ = false;
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

  TreePtr open_tree(Family family, std::string prefix, std::string lower,
                    std::string upper) override {
    return std::make_shared<RocksdbTree>(family, std::move(prefix), std::move(lower),
                                         std::move(upper),
                                         handles_[static_cast<std::size_t>(family)]);
  }

  StoredValue get(const Tree& tree, std::string_view key) const override;

  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction) const override {
    return std::make_unique<RocksdbCursor>(*database_, rocksdb_tree(tree), lower, upper, direction,
                                           directory_.path());
  }

  void commit(const WriteBatch& batch) override;
  void clear(Tree& tree) override;
  std::uint64_t disk_usage() const override;

 private:
  void clear_range(const RocksdbTree& tree);
  void write(rocksdb::WriteBatch& batch);
  bool resume();
  void check(const rocksdb::Status& status, const char* operation) const;

  DataDirectory directory_;
  LogSpace log_space_;
  FileLedger ledger_;
  const std::unique_ptr<rocksdb::Env> environment_;
  const std::shared_ptr<ErrorListener> errors_ = std::make_shared<ErrorListener>();
  const std::shared_ptr<WarningLog> warnings_ =
      std::make_shared<WarningLog>(directory_.engine_path());
  rocksdb::WriteOptions write_options_;
  const rocksdb::ReadOptions read_options_;
  std::unique_ptr<rocksdb::DB> database_;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;  // by Family

  std::mutex resume_mutex_;  // guards next_resume_
  std::chrono::steady_clock::time_point next_resume_;
};

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
      log_space_(directory_.spare_path()),
      ledger_(directory_.ledger_path(), directory_.engine_path()),
      environment_(rocksdb::NewCompositeEnv(make_file_system(log_space_, ledger_))) {
  check_not_headless(directory_);
  ledger_.check();
  write_options_.sync = options.sync_writes;
  rocksdb::DBOptions database = database_options(options);
  database.env = environment_.get();
  database.listeners = {errors_};
  database.info_log = warnings_;
  const std::vector<rocksdb::ColumnFamilyDescriptor> families = column_families(options, database);
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::Open(database, directory_.engine_path(), families, &handles_, &opened);
  database_.reset(opened);
  if (status.ok()) return;
  const std::string cause = status.ToString();
  const bool names_file = cause.find(directory_.path()) != std::string::npos;
  throw EngineError(
      "cannot open data directory " + directory_.path() + ": " + cause +
      (names_file || warnings_->last().empty() ? "" : " (" + warnings_->last() + ")"));
}

RocksdbEngine::~RocksdbEngine() {
  for (rocksdb::ColumnFamilyHandle* handle : handles_) database_->DestroyColumnFamilyHandle(handle);
  database_.reset();
  ledger_.note_logs();
}

void RocksdbEngine::check(const rocksdb::Status& status, const char* operation) const {
  if (status.ok()) return;
  throw EngineError("cannot " + std::string(operation) + " data directory " + directory_.path() +
                    ": " + status.ToString());
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
  write(encoded);
  if (encoded.GetDataSize() > kLargestKept) encoded = rocksdb::WriteBatch();
}

// RocksDB refuses writes after a background error, such as a table that a full disk had no room
// for, until told to resume.
void RocksdbEngine::write(rocksdb::WriteBatch& batch) {
  if (!log_space_.is_ample() && !log_space_.replenish()) {
    check(rocksdb::Status::NoSpace("No space left on device"), "write to");
  }
  rocksdb::Status status = database_->Write(write_options_, &batch);
  if (!status.ok() && !errors_->is_log_broken() && resume()) {
    status = database_->Write(write_options_, &batch);
  }
  check(status, errors_->is_log_broken() ? "write (until restarted) to" : "write to");
}

// Tries at most once in a while, since it costs a flush.
bool RocksdbEngine::resume() {
  constexpr std::chrono::milliseconds kPause(500);
  std::lock_guard lock(resume_mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (now < next_resume_) return false;
  const bool resumed = database_->Resume().ok();
  next_resume_ = std::chrono::steady_clock::now() + kPause;
  return resumed;
}

// Few keys are deleted one by one, since every range deletion burdens the reads of its family.
void RocksdbEngine::clear(Tree& tree) {
  constexpr std::uint32_t kFew = 1'000;
  const RocksdbTree& range = rocksdb_tree(tree);
  rocksdb::WriteBatch batch;
  {
    const auto cursor = scan(tree, {}, {}, Direction::kForward);
    while (batch.Count() <= kFew && cursor->next()) {
      check(batch.Delete(range.handle(), slice(cursor->key())), "write to");
    }
  }
  if (batch.Count() > kFew) {
    clear_range(range);
  } else if (batch.Count() > 0) {
    write(batch);
  }
}

// The range deletion comes first: it hides what files that reach beyond the range still hold.
void RocksdbEngine::clear_range(const RocksdbTree& tree) {
  std::string end;
  {
    const auto cursor = scan(tree, {}, {}, Direction::kBackward);
    if (!cursor->next()) return;
    end = std::string(cursor->key()) + '\0';
  }
  const rocksdb::Slice first = slice(tree.lower());
  const rocksdb::Slice last = slice(end);
  rocksdb::WriteBatch batch;
  check(batch.DeleteRange(tree.handle(), first, last), "write to");
  write(batch);
  check(rocksdb::DeleteFilesInRange(database_.get(), tree.handle(), &first, &last, false),
        "reclaim space in");
  check(rocksdb::experimental::SuggestCompactRange(database_.get(), tree.handle(), &first, &last),
        "reclaim space in");
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
  return std::make_unique<RocksdbEngine>(options);
}

}  // namespace magneto::storage
