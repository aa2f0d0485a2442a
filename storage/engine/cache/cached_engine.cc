#include "storage/engine/cache/cached_engine.h"

#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/engine/cache/cache_commit.h"
#include "storage/engine/cache/cache_cursor.h"
#include "storage/engine/cache/cached_partition.h"
#include "storage/engine/cache/partition_cache.h"
#include "storage/engine/spread_counter.h"

namespace magneto::storage {

namespace {

// The trees that Get, Query and Scan read. A tree without a prefix overlaps others and would miss
// their commits.
bool is_cached(ColumnFamily family, std::string_view prefix) {
  return !prefix.empty() && (family == ColumnFamily::kItems || family == ColumnFamily::kIndexes);
}

class CachedEngine final : public Engine {
 public:
  CachedEngine(std::unique_ptr<Engine> below, std::uint64_t budget)
      : below_(std::move(below)), cache_(std::make_shared<PartitionCache>(*below_, budget)) {}
  ~CachedEngine() override { cache_->stop(); }

  bool is_durable() const override { return below_->is_durable(); }
  bool commit_waits() const override { return below_->commit_waits(); }
  bool is_current() const override { return below_->is_current(); }
  std::size_t max_key_bytes() const override { return below_->max_key_bytes(); }

  TreePtr open_tree(ColumnFamily family, std::string prefix, std::string lower,
                    std::string upper) override;
  PinnedValue get(const Tree& tree, std::string_view key) const override {
    return get_one(*below_, tree, key);
  }
  void get(std::span<const KeyRead> reads, std::span<PinnedValue> values) const override {
    get_many(*below_, reads, values);
  }
  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction, ScanHint hint) const override;
  SnapshotPtr snapshot() override { return below_->snapshot(); }
  bool changed_since(const Snapshot& snapshot) const override {
    return below_->changed_since(snapshot);
  }
  bool keeps_replaced() const override { return below_->keeps_replaced(); }
  WriteScopePtr begin(std::span<const std::string_view> keys) override;
  void wait_for_open_scopes() override { below_->wait_for_open_scopes(); }
  ScopePausePtr pause_scopes() override { return below_->pause_scopes(); }
  void commit(const WriteBatch& batch) override;
  void clear(Tree& tree) override;

  void require_format(int format) override { below_->require_format(format); }
  std::uint64_t estimate_size(const Tree& tree) const override {
    return below_->estimate_size(tree);
  }
  std::string describe_refusal() override { return below_->describe_refusal(); }
  EngineStatistics statistics() const override;
  LocalDisk* local_disk() override { return below_->local_disk(); }

 private:
  // Reads of cached trees do not use the scope below: only this engine writes there.
  class CachedScope final : public WriteScope {
   public:
    CachedScope(CachedEngine& engine, WriteScopePtr below)
        : engine_(engine), below_(std::move(below)) {}

    void get(std::span<const KeyRead> reads, std::span<PinnedValue> values) override {
      if (reads.size() == 1) {
        values.front() = engine_.get_one(*below_, *reads.front().tree, reads.front().key);
      } else {
        engine_.get_many(*below_, reads, values);
      }
    }
    CommitResult commit(const WriteBatch& batch) override {
      if (batch.empty()) return below_->commit(batch);
      CacheCommit cached(batch, engine_.commit_waits());
      const CommitResult result = below_->commit(batch);
      if (result == CommitResult::kCommitted) cached.apply();
      return result;
    }

   private:
    CachedEngine& engine_;
    const WriteScopePtr below_;
  };

  // `below`: the engine, or a scope of it.
  template <typename Below>
  PinnedValue get_one(Below& below, const Tree& tree, std::string_view key) const;
  template <typename Below>
  void get_many(Below& below, std::span<const KeyRead> reads, std::span<PinnedValue> values) const;
  static bool take_cached(const KeyRead& read, PinnedValue& value);
  void request_load(CachedPartition& partition) const {
    if (partition.wants_load()) cache_->request_load(partition.tree());
  }

  const std::unique_ptr<Engine> below_;
  // trees may outlive this engine, and hold the cache
  const std::shared_ptr<PartitionCache> cache_;
  mutable SpreadCounter hits_;
  mutable SpreadCounter misses_;
  std::mutex attaching_;  // makes sure that a tree gets one attachment
};

TreePtr CachedEngine::open_tree(ColumnFamily family, std::string prefix, std::string lower,
                                std::string upper) {
  const bool may_be_cached = is_cached(family, prefix);
  TreePtr tree = below_->open_tree(family, std::move(prefix), std::move(lower), std::move(upper));
  if (may_be_cached) {
    const std::lock_guard lock(attaching_);
    if (tree->attachment() == nullptr) {
      tree->attach(std::make_unique<CachedPartition>(cache_, tree));
    }
  }
  return tree;
}

// If the partition was loaded meanwhile, a later read uses it. This read must not be newer than
// that one, so it asks the partition again.
template <typename Below>
PinnedValue CachedEngine::get_one(Below& below, const Tree& tree, std::string_view key) const {
  CachedPartition* const partition = CachedPartition::of(tree);
  if (partition == nullptr) return below.get(tree, key);
  if (std::optional<PinnedValue> value = partition->get(key)) {
    hits_.add();
    return std::move(*value);
  }
  misses_.add();
  PinnedValue found = below.get(tree, key);
  if (std::optional<PinnedValue> value = partition->get(key)) return std::move(*value);
  request_load(*partition);
  return found;
}

// Reads the keys that are not cached together.
template <typename Below>
void CachedEngine::get_many(Below& below, std::span<const KeyRead> reads,
                            std::span<PinnedValue> values) const {
  std::vector<KeyRead> missed;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (take_cached(reads[i], values[i])) {
      hits_.add();
    } else {
      missed.push_back(reads[i]);
      places.push_back(i);
    }
  }
  if (missed.empty()) return;
  misses_.add(missed.size());
  std::vector<PinnedValue> found(missed.size());
  below.get(std::span<const KeyRead>(missed), std::span<PinnedValue>(found));
  for (std::size_t i = 0; i < missed.size(); ++i) {
    PinnedValue& value = values[places[i]];
    if (take_cached(missed[i], value)) continue;
    value = std::move(found[i]);
    CachedPartition* const partition = CachedPartition::of(*missed[i].tree);
    if (partition != nullptr) request_load(*partition);
  }
}

bool CachedEngine::take_cached(const KeyRead& read, PinnedValue& value) {
  const CachedPartition* const partition = CachedPartition::of(*read.tree);
  if (partition == nullptr) return false;
  std::optional<PinnedValue> cached = partition->get(read.key);
  if (cached) value = std::move(*cached);
  return cached.has_value();
}

std::unique_ptr<Cursor> CachedEngine::scan(const Tree& tree, std::string_view lower,
                                           std::string_view upper, Direction direction,
                                           ScanHint hint) const {
  CachedPartition* const partition = CachedPartition::of(tree);
  if (partition == nullptr) return below_->scan(tree, lower, upper, direction, hint);
  if (!partition->is_loaded()) {
    misses_.add();
    if (!hint.is_single_pass) request_load(*partition);
    return below_->scan(tree, lower, upper, direction, hint);
  }
  hits_.add();
  return make_cache_cursor(*below_, tree, *partition, lower, upper, direction, hint);
}

WriteScopePtr CachedEngine::begin(std::span<const std::string_view> keys) {
  return std::make_unique<CachedScope>(*this, below_->begin(keys));
}

void CachedEngine::commit(const WriteBatch& batch) {
  CacheCommit cached(batch, commit_waits());
  below_->commit(batch);
  cached.apply();
}

EngineStatistics CachedEngine::statistics() const {
  EngineStatistics statistics = below_->statistics();
  statistics.cache = cache_->statistics();
  statistics.cache->hits = hits_.sum();
  statistics.cache->misses = misses_.sum();
  return statistics;
}

void CachedEngine::clear(Tree& tree) {
  below_->clear(tree);
  if (CachedPartition* const partition = CachedPartition::of(tree)) partition->clear();
}

}  // namespace

std::unique_ptr<Engine> make_cached_engine(std::unique_ptr<Engine> below, std::uint64_t budget) {
  return std::make_unique<CachedEngine>(std::move(below), budget);
}

}  // namespace magneto::storage
