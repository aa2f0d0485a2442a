#include "storage/background/expiry_backfill.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/encoding/item_encoding.h"
#include "storage/encoding/keyspace.h"
#include "storage/model/expiry.h"
#include "storage/table/item_cursor.h"

namespace magneto::storage {
namespace {

constexpr std::size_t kItemsOfAChunk = 64;

}  // namespace

bool ExpiryBackfill::fill(const Table& table, const std::stop_token& stop) {
  // Waits for writers that do not know the queue yet; all others enter their own items.
  engine_.wait_for_open_scopes();
  std::vector<std::string> keys;
  const auto enter_keys = [&] {
    const bool entered = keys.empty() || enter(table, keys);
    keys.clear();
    return entered;
  };
  ItemCursor cursor(engine_, table.partitions, {}, Direction::kForward);
  while (cursor.next()) {
    if (stop.stop_requested()) return false;
    // An item that does not expire here can only become one that does by a write, which enters it.
    if (!expiry_of(cursor.item(), table.expiry->attribute)) continue;
    keys.emplace_back(cursor.key());
    if (keys.size() == kItemsOfAChunk && !enter_keys()) return false;
  }
  return enter_keys();
}

bool ExpiryBackfill::enter(const Table& table, const std::vector<std::string>& keys) {
  const ExpiryQueue& queue = *table.expiry;
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  std::vector<KeyRead> reads;
  reads.reserve(views.size());
  for (const std::string_view key : views) {
    reads.push_back({table.partitions.tree_of(key).get(), key});
  }
  std::vector<PinnedValue> items(keys.size());
  std::int64_t first = kNever;
  for (bool committed = false; !committed;) {
    const WriteScopePtr scope = engine_.begin(views);
    if (queue.dropped->load()) return false;
    scope->get(reads, items);
    WriteBatch batch;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!items[i]) continue;
      const auto expiry = expiry_of(decode_item(items[i].bytes()), queue.attribute);
      if (!expiry) continue;
      batch.put(queue.tree, expiry_key(queue.tree->prefix(), *expiry, keys[i]), {});
      first = std::min(first, *expiry);
    }
    committed = scope->commit(batch) == CommitResult::kCommitted;
  }
  if (first != kNever) timer_.note(first);
  return true;
}

}  // namespace magneto::storage
