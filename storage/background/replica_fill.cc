#include "storage/background/replica_fill.h"

#include <utility>

#include "storage/encoding/keyspace.h"
#include "storage/model/global_table.h"
#include "storage/table/item_cursor.h"

namespace magneto::storage {
namespace {

constexpr std::size_t kItemsOfAFillChunk = 64;
constexpr std::size_t kBytesOfAFillChunk = 1 << 20;  // then no further item is added
constexpr int kFillChunksOfATurn = 8;

// An item of another region's table at one moment, with the stamp of its last change.
struct Taken {
  PinnedValue item;
  ItemStamp stamp;
  std::string target_key;

  WriteDecision operator()(const StoredItem& /*current*/) const {
    if (!item) return WriteDecision::remove();
    return WriteDecision::put(Item(decode_item(item.bytes())));
  }
};

}  // namespace

void ReplicaFill::fill_some(const TablePtr& from, const TablePtr& target, Progress& progress) {
  // Waits for writers that do not know the new replica yet; all others send it their changes.
  if (!std::exchange(progress.is_begun, true)) engine_.wait_for_open_scopes();
  if (!progress.has_items) {
    progress.has_items = copy_some_items(from, target, progress);
    if (progress.has_items) progress.next.clear();
  } else {
    progress.is_whole = copy_some_deletions(*from, target, progress);
  }
}

// Returns whether all items are copied.
bool ReplicaFill::copy_some_items(const TablePtr& from, const TablePtr& target,
                                  Progress& progress) {
  ItemCursor cursor(engine_, from->partitions, {.lower = progress.next, .upper = {}},
                    Direction::kForward);
  for (int chunk = 0; chunk < kFillChunksOfATurn; ++chunk) {
    std::vector<std::string> keys;
    std::size_t bytes = 0;
    while (keys.size() < kItemsOfAFillChunk && bytes < kBytesOfAFillChunk && cursor.next()) {
      keys.emplace_back(cursor.key());
      bytes += cursor.item_size();
    }
    if (keys.empty()) return true;
    if (is_strong(from->schema)) {
      writer_.repeat_elsewhere(from, keys);
    } else {
      copy(*from, target, keys);
    }
    progress.next = keys.back() + '\0';
  }
  return false;
}

// Another replica may still send an item that was deleted here before the new replica was known.
bool ReplicaFill::copy_some_deletions(const Table& from, const TablePtr& target,
                                      Progress& progress) {
  if (from.replication == nullptr) return true;
  const auto cursor =
      engine_.scan(*from.replication->deleted, progress.next, {}, Direction::kForward);
  for (std::size_t count = 0; count < kFillChunksOfATurn * kItemsOfAFillChunk; ++count) {
    if (!cursor->next()) return true;
    copy(from, target, {item_key_in(cursor->key())});
    progress.next = std::string(cursor->key()).append(1, '\0');
  }
  return false;
}

// Reads an item and its stamp while its key is held; later changes have a later stamp.
void ReplicaFill::copy(const Table& from, const TablePtr& target,
                       const std::vector<std::string>& keys) {
  if (keys.empty() || from.replication == nullptr) return;
  std::vector<Taken> taken;
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  const std::string prefix = tree_prefix(target->schema.number, 0);
  for (bool is_whole = false; !is_whole;) {
    taken.clear();
    const WriteScopePtr scope = engine_.begin(views);
    for (const std::string& key : keys) {
      Taken& one = taken.emplace_back();
      one.item = scope->get(*from.partitions.tree_of(key), key);
      one.stamp = read_stamp(*scope, *from.replication, key, static_cast<bool>(one.item));
      one.target_key = prefix + key.substr(prefix.size());
    }
    is_whole = scope->commit(WriteBatch()) == CommitResult::kCommitted;
  }
  std::vector<ItemWrite> writes;
  for (const Taken& one : taken) {
    if (one.stamp.stamp.time == 0) continue;  // the item does not exist and never did
    writes.push_back(
        {.table = target, .key = one.target_key, .decide = one, .stamp = &one.stamp.stamp});
  }
  if (!writes.empty()) writer_.write_all(writes);
}

}  // namespace magneto::storage
