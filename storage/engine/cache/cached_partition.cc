#include "storage/engine/cache/cached_partition.h"

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "storage/engine/cache/partition_cache.h"

namespace magneto::storage {

namespace {

// The memory of a record: the record itself, and its slot of 16 bytes in a node that is at least
// half full.
std::int64_t footprint(const Record& record) {
  constexpr std::size_t kSlot = 32;
  return static_cast<std::int64_t>(record.size() + kSlot);
}

}  // namespace

CachedPartition::CachedPartition(std::shared_ptr<PartitionCache> cache, const TreePtr& tree)
    : cache_(std::move(cache)), tree_(tree), records_(tree->prefix(), cache_->pool()) {
  records_.set_closed(true);
}

CachedPartition::~CachedPartition() {
  if (bytes_ > 0) cache_->record_room_made();
  count(-bytes_);
}

std::optional<PinnedValue> CachedPartition::get(std::string_view key) const {
  if (!is_loaded()) return std::nullopt;
  const std::optional<Record*> record = records_.find(key);
  if (!record) return std::nullopt;
  return value_of(*record);
}

bool CachedPartition::wants_load() {
  const std::uint32_t now = cache_->room_made();
  return requested_at_.load(std::memory_order_relaxed) != now && requested_at_.exchange(now) != now;
}

void CachedPartition::clear() {
  std::unique_lock lock(records_.mutex());
  if (bytes_ > 0) cache_->record_room_made();
  if (state(word_) == kLoading) set_state(kAbsent);
  const RecordTree dropped = records_.take_all();
  count(-bytes_);
  lock.unlock();
}

void CachedPartition::evict() {
  std::lock_guard lock(records_.mutex());
  if (state(word_) != kAbsent) set_state(kAbsent);
}

bool CachedPartition::begin_loading() {
  std::uint32_t idle = kAbsent;
  return word_.compare_exchange_strong(idle, kLoading);
}

// Records that commits have put or removed since the load began are newer than those of the cursor.
bool CachedPartition::load_chunk(Cursor& below) {
  constexpr std::size_t kChunk = 256;
  std::vector<std::pair<std::string, Record*>> chunk;
  bool at_end = false;
  while (chunk.size() < kChunk && !at_end) {
    at_end = !below.next();
    if (at_end) break;
    chunk.emplace_back(below.key(), records_.make_record(below.key(), below.value()));
  }
  std::vector<Record*> dropped;
  bool goes_on = !at_end;
  {
    std::lock_guard lock(records_.mutex());
    const bool is_loading = state(word_) == kLoading;
    for (auto& [key, record] : chunk) {
      if (!is_loading || records_.contains(key) || removed_while_loading_.contains(key)) {
        dropped.push_back(record);
      } else {
        Record* replaced = nullptr;
        put(key, record, replaced);
      }
    }
    if (!is_loading) goes_on = false;
    if (is_loading && at_end) set_state(cache_->is_over_budget() ? kAbsent : kLoaded);
  }
  for (Record* record : dropped) record->release();
  return goes_on;
}

void CachedPartition::set_state(State state_now) {
  word_ += state_now - state(word_);
  records_.set_closed(state_now != kLoaded);
  if (state_now != kLoading) removed_while_loading_.clear();
  if (state_now != kAbsent) return;
  cache_->free_later(records_.take_all());
  count(-bytes_);
}

void CachedPartition::put(std::string_view key, Record* record, Record*& replaced) {
  std::int64_t added = footprint(*record);
  replaced = records_.put(key, record);
  if (replaced != nullptr) added -= footprint(*replaced);
  count(added);
}

void CachedPartition::remove(std::string_view key, Record*& removed) {
  if (state(word_) == kLoading) removed_while_loading_.emplace(key);
  removed = records_.remove(key);
  if (removed != nullptr) count(-footprint(*removed));
}

void CachedPartition::count(std::int64_t bytes) {
  bytes_ += bytes;
  cache_->count(bytes);
}

}  // namespace magneto::storage
