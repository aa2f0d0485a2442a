#include "storage/engine/rocksdb/rocksdb_cursor.h"

#include <rocksdb/db.h>
#include <rocksdb/iterator.h>
#include <rocksdb/options.h>
#include <rocksdb/slice.h>

#include <algorithm>

#include "storage/engine/rocksdb/memory_reserve.h"
#include "storage/engine/rocksdb/rocksdb_damage.h"

namespace magneto::storage {

namespace {

constexpr std::size_t kReadAhead = std::size_t{512} << 10;  // of each file that is read

class RocksdbCursor final : public Cursor {
 public:
  RocksdbCursor(rocksdb::DB& database, const std::string& directory, const RocksdbTree& tree,
                std::string_view lower, std::string_view upper, Direction direction, ScanHint hint,
                const rocksdb::Snapshot* snapshot)
      : lower_(std::max(lower, std::string_view(tree.lower()))),
        upper_(upper.empty()          ? std::string_view(tree.upper())
               : tree.upper().empty() ? upper
                                      : std::min(upper, std::string_view(tree.upper()))),
        lower_bound_(lower_),
        upper_bound_(upper_),
        is_forward_(direction == Direction::kForward),
        database_(database),
        directory_(directory) {
    const MemoryInHand memory;
    rocksdb::ReadOptions options = read_options();
    options.snapshot = snapshot;
    if (hint.is_single_pass) {
      options.fill_cache = false;
      if (hint.entries == 0 && hint.bytes == 0) options.readahead_size = kReadAhead;
    }
    options.iterate_lower_bound = &lower_bound_;
    if (!upper_.empty()) options.iterate_upper_bound = &upper_bound_;
    iterator_.reset(database.NewIterator(options, tree.handle()));
  }

  ~RocksdbCursor() override {
    const MemoryInHand memory(std::nothrow);
    iterator_.reset();
  }
  RocksdbCursor(const RocksdbCursor&) = delete;
  RocksdbCursor& operator=(const RocksdbCursor&) = delete;

  bool next() override {
    if (at_end_) return false;
    const MemoryInHand memory;
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
    check(iterator_->status(), database_, "scan", directory_);
    return false;
  }

  std::string_view key() const override { return iterator_->key().ToStringView(); }
  std::string_view value() const override { return iterator_->value().ToStringView(); }

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

}  // namespace

rocksdb::ReadOptions read_options() {
  rocksdb::ReadOptions options;
  options.ignore_range_deletions = true;  // there are none, see RocksdbEngine::clear
  return options;
}

std::unique_ptr<Cursor> make_rocksdb_cursor(rocksdb::DB& database, const std::string& directory,
                                            const RocksdbTree& tree, std::string_view lower,
                                            std::string_view upper, Direction direction,
                                            ScanHint hint, const rocksdb::Snapshot* snapshot) {
  return std::make_unique<RocksdbCursor>(database, directory, tree, lower, upper, direction, hint,
                                         snapshot);
}

}  // namespace magneto::storage
