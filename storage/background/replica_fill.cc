#include "storage/background/replica_fill.h"

#include <utility>

#include "storage/encoding/keyspace.h"
#include "storage/table/item_cursor.h"

namespace magneto::storage {
namespace {

constexpr std::size_t kItemsOfAChunk = 64;
constexpr std::size_t kBytesOfAChunk = 1 << 20;  // then no further item is added

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

bool ReplicaFill::fill(const Table& from, const TablePtr& target, const std::stop_token& stop) {
  // Writers that do not know of the new replica yet end first; all others send it their changes.
  engine_.wait_for_open_scopes();
  return copy_items(from, target, stop) && copy_deletions(from, target, stop);
}

bool ReplicaFill::copy_items(const Table& from, const TablePtr& target,
                             const std::stop_token& stop) {
  std::vector<std::string> keys;
  std::size_t bytes = 0;
  ItemCursor cursor(engine_, from.partitions, {}, Direction::kForward);
  while (cursor.next()) {
    if (stop.stop_requested()) return false;
    keys.emplace_back(cursor.key());
    bytes += cursor.item_size();
    if (keys.size() < kItemsOfAChunk && bytes < kBytesOfAChunk) continue;
    copy(from, target, keys);
    keys.clear();
    bytes = 0;
  }
  copy(from, target, keys);
  return true;
}

// Another replica may have, and send, an item that was deleted here before the new one was known.
bool ReplicaFill::copy_deletions(const Table& from, const TablePtr& target,
                                 const std::stop_token& stop) {
  if (from.replication == nullptr) return true;
  const auto cursor = engine_.scan(*from.replication->deleted, {}, {}, Direction::kForward);
  while (cursor->next()) {
    if (stop.stop_requested()) return false;
    copy(from, target, {item_key_in(cursor->key())});
  }
  return true;
}

// What an item is and its stamp are read while its key is held; later changes have a later stamp.
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
      one.stamp = read_stamp(engine_, *from.replication, key, static_cast<bool>(one.item));
      one.target_key = prefix + key.substr(prefix.size());
    }
    is_whole = scope->commit(WriteBatch()) == CommitResult::kCommitted;
  }
  std::vector<ItemWrite> writes;
  for (const Taken& one : taken) {
    if (one.stamp.stamp.time == 0) continue;  // there is nothing, and was nothing
    writes.push_back(
        {.table = target, .key = one.target_key, .decide = one, .stamp = &one.stamp.stamp});
  }
  if (!writes.empty()) writer_.write_all(writes);
}

}  // namespace magneto::storage
