#include "storage/database_truncation.h"

#include <string>
#include <utility>
#include <vector>

#include "storage/encoding/key_encoding.h"

namespace magneto::storage {
namespace {

// Items that one commit holds: other requests wait for them during the commit.
constexpr std::size_t kItemsAtOnce = 100;

WriteDecision remove_item(const StoredItem& current) {
  return current ? WriteDecision::remove() : WriteDecision::keep();
}

// The first keys of a range. The cursor is closed before the items are deleted.
std::vector<std::string> first_keys(Database& database, const Table& table, const KeyRange& range) {
  ItemCursor cursor = database.scan(table, nullptr, range, Direction::kForward,
                                    {.entries = kItemsAtOnce, .bytes = 0});
  std::vector<std::string> keys;
  while (keys.size() < kItemsAtOnce && cursor.next()) keys.emplace_back(cursor.key());
  return keys;
}

}  // namespace

std::uint64_t delete_all_items(Database& database, const TablePtr& table,
                               const std::stop_token& stop) {
  std::uint64_t deleted = 0;
  KeyRange range = segment_range(table->schema.number, 0, 0, 1);
  while (!stop.stop_requested()) {
    const std::vector<std::string> keys = first_keys(database, *table, range);
    if (keys.empty()) break;
    std::vector<ItemWrite> writes;
    writes.reserve(keys.size());
    for (const std::string& key : keys) writes.push_back({table, key, remove_item});
    try {
      for (const WriteOutcome& outcome : database.write_all_in_turn(writes)) {
        if (outcome.old_item) ++deleted;
      }
    } catch (const TableGone&) {
      break;
    }
    range.lower = keys.back() + '\0';
  }
  return deleted;
}

}  // namespace magneto::storage
