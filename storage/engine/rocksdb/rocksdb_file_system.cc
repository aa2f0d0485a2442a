#include "storage/engine/rocksdb/rocksdb_file_system.h"

#include <rocksdb/file_system.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "storage/engine/rocksdb/background_throttle.h"
#include "storage/engine/rocksdb/recovery_manifest.h"
#include "storage/engine/rocksdb/wal_reservation.h"

namespace magneto::storage {

namespace {

using rocksdb::DataVerificationInfo;
using rocksdb::FSWritableFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// A file that observes appends. RocksDB has two ways to append; both lead to the overridden one.
class WatchedFile : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  using FSWritableFileOwnerWrapper::FSWritableFileOwnerWrapper;

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override = 0;
  IOStatus Append(const Slice& data, const IOOptions& options, const DataVerificationInfo&,
                  IODebugContext* debug) final {
    return Append(data, options, debug);
  }
};

// RocksDB appends to a file from one thread at a time.
class LogFile final : public WatchedFile, public PreallocatingLog {
 public:
  LogFile(std::unique_ptr<FSWritableFile> file, WalReservation& space, std::uint64_t allocated)
      : WatchedFile(std::move(file)), space_(space), allocated_(allocated) {
    space_.set_current(*this, allocated);
  }
  ~LogFile() override { space_.leave(*this); }

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    IOStatus status = target()->Append(data, options, debug);
    if (status.ok()) {
      size_ += data.size();
      space_.record_append(*this, data.size());
    }
    return status;
  }

  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    space_.leave(*this);
    const IOStatus trimmed = target()->Truncate(size_, options, debug);
    const IOStatus closed = target()->Close(options, debug);
    return closed.ok() ? trimmed : closed;
  }

  // Does nothing: RocksDB would allocate as much as a write buffer takes.
  void PrepareWrite(std::size_t, std::size_t, const IOOptions&, IODebugContext*) override {}

  std::uint64_t allocate_ahead(std::uint64_t bytes) override {
    const std::uint64_t end = size_ + bytes;
    if (end <= allocated_) return 0;
    if (!target()->Allocate(end - bytes, bytes, IOOptions(), nullptr).ok()) return 0;
    return end - std::exchange(allocated_, end);
  }

 private:
  WalReservation& space_;
  std::atomic<std::uint64_t> size_ = 0;
  std::uint64_t allocated_;  // bytes of the file that are allocated on disk
};

class ManifestFile final : public WatchedFile {
 public:
  ManifestFile(std::unique_ptr<FSWritableFile> file, RecoveryManifest& recovery_manifest,
               std::string path)
      : WatchedFile(std::move(file)),
        recovery_manifest_(recovery_manifest),
        path_(std::move(path)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    IOStatus status = target()->Append(data, options, debug);
    if (status.ok()) size_ += data.size();
    return status;
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    IOStatus status = target()->Sync(options, debug);
    if (status.ok()) recovery_manifest_.record_manifest(path_, size_);
    return status;
  }

 private:
  RecoveryManifest& recovery_manifest_;
  const std::string path_;
  std::uint64_t size_ = 0;
};

class TableFile final : public WatchedFile {
 public:
  using WatchedFile::WatchedFile;

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    IOStatus status = target()->Append(data, options, debug);
    yield_to_foreground();
    return status;
  }
};

class MagnetoFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  MagnetoFileSystem(WalReservation& space, RecoveryManifest& recovery_manifest)
      : FileSystemWrapper(rocksdb::FileSystem::Default()),
        space_(space),
        recovery_manifest_(recovery_manifest) {}

  const char* Name() const override { return "MagnetoFileSystem"; }

  IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* debug) override {
    if (path.ends_with(".log")) return new_log(path, options, result, debug);
    if (is_options(path)) return IOStatus::NotSupported("no file of options is kept");
    std::unique_ptr<FSWritableFile> file;
    IOStatus status = target()->NewWritableFile(path, options, &file, debug);
    if (!status.ok()) return status;
    if (path.ends_with(".sst")) {
      file = std::make_unique<TableFile>(std::move(file));
    } else if (path.substr(path.rfind('/') + 1).starts_with("MANIFEST-")) {
      file = std::make_unique<ManifestFile>(std::move(file), recovery_manifest_, path);
    }
    *result = std::move(file);
    return status;
  }

 private:
  // Each start would write a file of RocksDB's options, sync it twice and read it again. No version
  // reads it later, and RocksDB goes on without it.
  static bool is_options(std::string_view path) {
    return path.substr(path.rfind('/') + 1).starts_with("OPTIONS-");
  }
  IOStatus new_log(const std::string& path, const rocksdb::FileOptions& options,
                   std::unique_ptr<FSWritableFile>* result, IODebugContext* debug) {
    const std::uint64_t allocated = space_.take_segment(path);
    std::unique_ptr<FSWritableFile> file;
    IOStatus status;
    if (allocated == 0) {
      status = target()->NewWritableFile(path, options, &file, debug);
    } else {
      status = target()->ReopenWritableFile(path, options, &file, debug);
    }
    if (!status.ok()) return status;
    recovery_manifest_.record_new_log(path);
    if (space_.is_supported()) file = std::make_unique<LogFile>(std::move(file), space_, allocated);
    *result = std::move(file);
    return status;
  }

  WalReservation& space_;
  RecoveryManifest& recovery_manifest_;
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> make_file_system(WalReservation& space,
                                                      RecoveryManifest& recovery_manifest) {
  return std::make_shared<MagnetoFileSystem>(space, recovery_manifest);
}

}  // namespace magneto::storage
