#include "storage/index/tree_index.h"

#include <string>
#include <utility>

#include "storage/encoding/item_encoding.h"
#include "storage/encoding/keyspace.h"
#include "storage/messages/record_messages.h"
#include "storage/model/narrow.h"

namespace magneto::storage {

TreeIndex::TreeIndex(Engine& engine, const TableSchema& table, const IndexSchema& index,
                     PartitionMap partitions)
    : engine_(engine),
      table_number_(table.number),
      schema_(index),
      projected_(table, index),
      partitions_(std::move(partitions)),
      positions_(engine.is_durable() && index.is_asynchronous()
                     ? engine.open_tree(ColumnFamily::kSystem, "")
                     : nullptr) {}

EntryChange TreeIndex::change(IndexKeyEncoder& keys, ItemView before, ItemView after) const {
  return entry_change(keys, schema_, projected_, before, after);
}

void TreeIndex::apply(EntryChange change, WriteBatch& batch) {
  if (!change.delete_key.empty()) {
    const TreePtr& tree = partitions_.tree_of(change.delete_key);
    batch.remove(tree, std::move(change.delete_key));
  }
  if (!change.put_key.empty()) {
    const TreePtr& tree = partitions_.tree_of(change.put_key);
    batch.put(tree, std::move(change.put_key), std::move(change.value));
  }
}

std::uint32_t TreeIndex::entry_size(std::string_view key) const {
  const PinnedValue stored = engine_.get(*partitions_.tree_of(key), key);
  return stored ? narrow<std::uint32_t>(decode_item_size(stored.bytes())) : 0;
}

std::uint64_t TreeIndex::applied_through() const {
  if (positions_ == nullptr) return 0;
  const PinnedValue stored = engine_.get(*positions_, position_key(table_number_, schema_.number));
  if (!stored) return 0;
  if (stored.bytes().size() != sizeof(std::uint64_t)) {
    throw EngineError(messages::kDamagedIndexPosition);
  }
  return read_uint64(stored.bytes());
}

void TreeIndex::set_applied_through(std::uint64_t sequence, WriteBatch& batch) {
  if (positions_ == nullptr) return;
  std::string record;
  append_uint64(record, sequence);
  batch.put(positions_, position_key(table_number_, schema_.number), std::move(record));
}

}  // namespace magneto::storage
