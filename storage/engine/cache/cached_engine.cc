#include "storage/engine/cache/cached_engine.h"

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "storage/engine/cache/cache_commit.h"
#include "storage/engine/cache/cache_cursor.h"
#include "storage/engine/cache/cached_partition.h"
#include "storage/engine/cache/partition_cache.h"

namespace magneto::storage {

namespace {

// What Get, Query and Scan read. A tree without a prefix overlaps others, whose commits it would miss.
bool is_cached(Family family, std::string_view prefix) {
  return !prefix.empty() && (family == Family::kItems || family == Family::kIndexes);
}

class CachedEngine final : public Engine {
 public:
  CachedEngine(std::unique_ptr<Engine> below, std::uint64_t budget)
      : below_(std::move(below)), cache_(std::make_shared<PartitionCache>(*below_, budget)) {}
  ~CachedEngine() override { cache_->stop(); }

  bool is_durable() const override { return below_->is_durable(); }
  bool commit_waits() const override { return below_->commit_waits(); }

  TreePtr open_tree(Family family, std::string prefix, std::string lower,
                    std::string upper) override;
  PinnedValue get(const Tree& tree, std::string_view key) const override;
  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction) const override;
  void commit(const WriteBatch& batch) override;
  void clear(Tree& tree) override;

  void reclaim(Tree& tree) override { below_->reclaim(tree); }
  void require_format(int format) override { below_->require_format(format); }
  std::uint64_t estimate_size(const Tree& tree) const override {
    return below_->estimate_size(tree);
  }
  std::uint64_t disk_usage() const override { return below_->disk_usage(); }

 private:
  void request_load(CachedPartition& partition) const {
    if (partition.wants_load()) cache_->request_load(partition.tree());
  }

  const std::unique_ptr<Engine> below_;
  const std::shared_ptr<PartitionCache> cache_;  // trees may outlive this, and hold it
  std::mutex attaching_;                         // guards that a tree gets one attachment
};

TreePtr CachedEngine::open_tree(Family family, std::string prefix, std::string lower,
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

// A partition that was loaded meanwhile may be what a later read finds, and must not be older than
// what this one does: it is asked again.
PinnedValue CachedEngine::get(const Tree& tree, std::string_view key) const {
  CachedPartition* const partition = CachedPartition::of(tree);
  if (partition == nullptr) return below_->get(tree, key);
  if (std::optional<PinnedValue> value = partition->get(key)) return std::move(*value);
  PinnedValue found = below_->get(tree, key);
  if (std::optional<PinnedValue> value = partition->get(key)) return std::move(*value);
  request_load(*partition);
  return found;
}

std::unique_ptr<Cursor> CachedEngine::scan(const Tree& tree, std::string_view lower,
                                           std::string_view upper, Direction direction) const {
  CachedPartition* const partition = CachedPartition::of(tree);
  if (partition == nullptr) return below_->scan(tree, lower, upper, direction);
  if (!partition->is_loaded()) {
    request_load(*partition);
    return below_->scan(tree, lower, upper, direction);
  }
  return make_cache_cursor(*below_, tree, *partition, lower, upper, direction);
}

void CachedEngine::commit(const WriteBatch& batch) {
  CacheCommit cached(batch, commit_waits());
  below_->commit(batch);
  cached.apply();
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
