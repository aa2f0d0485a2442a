#include "storage/index/vector_index.h"

#include <mutex>
#include <utility>

#include "storage/encoding/item_encoding.h"
#include "storage/encoding/key_encoding.h"
#include "storage/model/item_size.h"
#include "storage/model/narrow.h"
#include "storage/model/value_writer.h"
#include "storage/model/vector_value.h"

namespace magneto::storage {
namespace {

constexpr std::uint64_t kElementsOfAStep = 4;
constexpr std::uint64_t kStepsOfAMatch = 100;  // to fetch its entry

bool have_no_entry(const Engine& engine, const PartitionMap& partitions) {
  for (const TreePtr& tree : partitions.trees()) {
    if (engine.scan(*tree, {}, {}, Direction::kForward, {.entries = 1})->next()) return false;
  }
  return true;
}

std::size_t count_filters(const VectorSpecification& vector) {
  std::size_t count = 0;
  for (const auto& [attribute, is_hash] : vector.search_schema) count += is_hash ? 0 : 1;
  return count;
}

std::unique_ptr<IndexedVectors> no_vectors(const VectorSpecification& vector) {
  return std::make_unique<IndexedVectors>(vector.dimensions, vector.function,
                                          count_filters(vector));
}

// The entry as its tree holds it: without the vector, but with its size.
std::string without_vector(ItemView entry, std::string_view attribute, std::size_t size) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.begin_item();
  for (const NamedAttribute& member : entry) {
    if (member.name == attribute) continue;
    writer.name(member.name);
    writer.value(member.value);
  }
  writer.end_item();
  return encode_item(ItemView(bytes), size);
}

}  // namespace

VectorIndex::VectorIndex(Engine& engine, const TableSchema& table, const IndexSchema& index,
                         PartitionMap partitions)
    : engine_(engine),
      schema_(index),
      projected_(table, index),
      tree_(engine, table, index, std::move(partitions)) {
  if (have_no_entry(engine_, tree_.partitions())) vectors_ = no_vectors(schema_.vector);
}

// The entry of an item, with its vector as a B value; empty where it has none.
std::string VectorIndex::entry_of(ItemView item) const {
  IndexKeyValues key;
  std::string bytes;
  if (item.size() == 0 || !collect_index_key(schema_, item, key)) return bytes;
  const AttributeView value = item.find(schema_.vector.attribute);
  std::vector<float> vector;
  if (!value || !read_vector(value, schema_.vector.dimensions, vector).is_good()) return bytes;
  ValueWriter writer(bytes);
  writer.begin_item();
  for (const NamedAttribute& member : item) {
    if (member.name == schema_.vector.attribute) {
      writer.name(member.name);
      writer.binary(vector_bytes(vector));
    } else if (projected_.contains(member.name)) {
      writer.name(member.name);
      writer.value(member.value);
    }
  }
  writer.end_item();
  return bytes;
}

EntryChange VectorIndex::change(IndexKeyEncoder& keys, ItemView before, ItemView after) const {
  EntryChange change;
  if (before.bytes() == after.bytes()) return change;
  const std::string old_entry = entry_of(before);
  const std::string new_entry = entry_of(after);
  if (old_entry == new_entry) return change;
  const auto key_of = [&](const std::string& entry) {
    IndexKeyValues values;
    collect_index_key(schema_, ItemView(entry), values);
    return keys.encode(schema_, values);
  };
  if (!old_entry.empty()) {
    change.old_size = narrow<std::uint32_t>(item_size(ItemView(old_entry)));
    change.delete_key = key_of(old_entry);
  }
  if (!new_entry.empty()) {
    change.new_size = narrow<std::uint32_t>(item_size(ItemView(new_entry)));
    change.put_key = key_of(new_entry);
    change.value = encode_item(ItemView(new_entry), change.new_size);
  }
  if (change.delete_key == change.put_key) change.delete_key.clear();
  return change;
}

void VectorIndex::place(IndexedVectors& vectors, std::string_view key, ItemView entry,
                        std::span<const float> vector) const {
  IndexKeyValues partition;
  if (!collect_index_key(schema_, entry, partition)) return;
  std::vector<AttributeView> filters;
  for (const auto& [attribute, is_hash] : schema_.vector.search_schema) {
    if (!is_hash) filters.push_back(entry.find(attribute.name));
  }
  std::string name;
  for (const AttributeView value : partition) append_key_part(name, value);
  vectors.put(key, name, filters, vector);
}

void VectorIndex::apply(EntryChange change, WriteBatch& batch) {
  {
    const std::lock_guard lock(mutex_);
    if (vectors_ != nullptr && !change.delete_key.empty()) vectors_->remove(change.delete_key);
    if (!change.put_key.empty()) {
      const ItemView entry = decode_item(change.value);
      const AttributeView vector = entry.find(schema_.vector.attribute);
      if (vectors_ != nullptr && vector && vector.type() == AttributeType::kBinary) {
        place(*vectors_, change.put_key, entry, vector_of_bytes(vector.scalar_bytes()));
      }
      change.value =
          without_vector(entry, schema_.vector.attribute, decode_item_size(change.value));
    }
  }
  tree_.apply(std::move(change), batch);
}

bool VectorIndex::is_loaded() const {
  const std::shared_lock lock(mutex_);
  return vectors_ != nullptr;
}

void VectorIndex::load(const TableSchema& table, const PartitionMap& items) {
  auto vectors = no_vectors(schema_.vector);
  std::vector<float> vector;
  for (const TreePtr& tree : tree_.partitions().trees()) {
    const auto cursor = engine_.scan(*tree, {}, {}, Direction::kForward);
    while (cursor->next()) {
      const ItemView entry = decode_item(cursor->value());
      const std::string key = item_key(table, entry);
      const PinnedValue item = engine_.get(*items.tree_of(key), key);
      // One without a vector now is one whose change is still to be applied.
      const AttributeView value =
          item ? decode_item(item.bytes()).find(schema_.vector.attribute) : AttributeView();
      if (!value || !read_vector(value, schema_.vector.dimensions, vector).is_good()) continue;
      place(*vectors, cursor->key(), entry, vector);
    }
  }
  const std::lock_guard lock(mutex_);
  vectors_ = std::move(vectors);
}

std::vector<VectorMatch> VectorIndex::search(const VectorSearch& search, Effort& effort) const {
  std::string partition;
  for (const AttributeView value : search.partition) append_key_part(partition, value);
  std::vector<AttributeView> values;
  for (const auto& [attribute, is_hash] : schema_.vector.search_schema) {
    if (is_hash) continue;
    AttributeView& wanted = values.emplace_back();
    for (const auto& [name, value] : search.filters) {
      if (name == attribute.name) wanted = value;
    }
  }
  if (!mutex_.try_lock_shared()) {
    Effort::before_waiting();
    mutex_.lock_shared();
  }
  const std::shared_lock lock(mutex_, std::adopt_lock);
  std::vector<VectorMatch> matches;
  if (vectors_ == nullptr) return matches;
  effort.spend(vectors_->size_of(partition) * (search.query.size() / kElementsOfAStep + 1) +
               search.count * kStepsOfAMatch);
  for (const auto& found : vectors_->search(partition, values, search.query, search.count)) {
    PinnedValue entry = engine_.get(*tree_.partitions().tree_of(*found.key), *found.key);
    if (!entry) continue;  // a change whose commit has not come yet
    VectorMatch& match = matches.emplace_back();
    match.entry = std::move(entry);
    match.score = found.score;
    if (search.wants_vectors) match.vector.assign(found.vector.begin(), found.vector.end());
  }
  return matches;
}

std::size_t VectorIndex::bytes_in_memory() const {
  const std::shared_lock lock(mutex_);
  return vectors_ == nullptr ? 0 : vectors_->bytes();
}

}  // namespace magneto::storage
