#include "storage/background/deleted_stamps.h"

#include <algorithm>
#include <string>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/table/replication.h"

namespace magneto::storage {
namespace {

constexpr std::size_t kEntriesAtOnce = 256;
// How soon stamps that pending changes hold back are checked again.
constexpr std::chrono::minutes kRest{1};

// If the item was written again meanwhile, only the entry is removed.
void forget(Engine& engine, const Table& table, const std::string& entry) {
  const Replication& replication = *table.replication;
  const std::string key = item_key_in(entry);
  for (bool is_done = false; !is_done;) {
    const WriteScopePtr scope = engine.begin(key);
    if (table.superseded.load(std::memory_order_acquire)) return;  // next time
    const ItemStamp stamp = read_stamp(*scope, replication, key, false);
    WriteBatch batch;
    batch.remove(replication.deleted, entry);
    if (stamp.is_deleted && stamp.stamp.time == static_cast<std::uint64_t>(expiry_in(entry))) {
      forget_stamp(replication, key, batch);
    }
    is_done = scope->commit(batch) == CommitResult::kCommitted;
  }
}

}  // namespace

std::optional<Clock::TimePoint> forget_deleted(Engine& engine, const Table& table,
                                               Clock::TimePoint now, std::int64_t oldest_waiting) {
  const std::int64_t old = (now - kStampsOfDeleted).time_since_epoch().count();
  const std::int64_t end = std::min(old, oldest_waiting);
  std::vector<std::string> entries;
  std::optional<Clock::TimePoint> next;
  const auto cursor = engine.scan(*table.replication->deleted, {}, {}, Direction::kForward,
                                  {.entries = kEntriesAtOnce + 1, .bytes = 0});
  while (cursor->next()) {
    const std::int64_t made = expiry_in(cursor->key());
    if (made >= end || entries.size() == kEntriesAtOnce) {
      const bool is_kept_back = made < old;
      next =
          is_kept_back ? now + kRest : Clock::TimePoint(Clock::Duration(made)) + kStampsOfDeleted;
      if (entries.size() == kEntriesAtOnce) next = now;
      break;
    }
    entries.emplace_back(cursor->key());
  }
  for (const std::string& entry : entries) forget(engine, table, entry);
  return next;
}

}  // namespace magneto::storage
