#include "storage/index/vector_index.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "storage/encoding/item_encoding.h"
#include "storage/encoding/key_encoding.h"
#include "storage/engine/local_disk.h"
#include "storage/index/item_vectors.h"
#include "storage/messages/record_messages.h"
#include "storage/model/item_size.h"
#include "storage/model/narrow.h"
#include "storage/model/value_writer.h"
#include "storage/model/vector_value.h"

namespace magneto::storage {
namespace {

constexpr std::uint64_t kElementsOfAStep = 4;
constexpr std::uint64_t kStepsOfAMatch = 100;          // to fetch its entry
constexpr std::size_t kElementsOfAnInstant = 1 << 20;  // searched in some 0.3 ms
constexpr std::size_t kBytesBesideAVector = 200;       // the key of its entry and the entry's place
constexpr std::size_t kMostChangesOfAFile = std::size_t{16} << 20;  // bytes in memory
// Keys of items that are held at once while the vectors are loaded.
constexpr std::size_t kMostWanted = std::size_t{32} << 20;  // bytes

bool have_no_entry(const Engine& engine, const PartitionMap& partitions) {
  for (const TreePtr& tree : partitions.trees()) {
    if (engine.scan(*tree, {}, {}, Direction::kForward, {.entries = 1})->next()) return false;
  }
  return true;
}

// The entry as its tree stores it: without the vector, but with its size.
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
      files_(engine.local_disk() == nullptr ? nullptr : &engine.local_disk()->computed_files()),
      table_number_(table.number),
      schema_(index),
      projected_(table, index),
      tree_(engine, table, index, std::move(partitions)) {
  if (have_no_entry(engine_, tree_.partitions())) vectors_ = no_vectors();
}

std::size_t VectorIndex::count_filters() const {
  std::size_t count = 0;
  for (const auto& [attribute, is_hash] : schema_.vector.search_schema) count += is_hash ? 0 : 1;
  return count;
}

std::unique_ptr<IndexedVectors> VectorIndex::no_vectors() const {
  return std::make_unique<IndexedVectors>(schema_.vector.dimensions, schema_.vector.function,
                                          count_filters());
}

// The entry of an item, with its vector as a B value; empty if it has no vector.
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

// nullopt if the entry lacks its key.
std::optional<IndexedVectors::Place> VectorIndex::place_of(IndexedVectors& vectors,
                                                           std::string_view key,
                                                           ItemView entry) const {
  IndexKeyValues partition;
  if (!collect_index_key(schema_, entry, partition)) return std::nullopt;
  std::vector<AttributeView> filters;
  for (const auto& [attribute, is_hash] : schema_.vector.search_schema) {
    if (!is_hash) filters.push_back(entry.find(attribute.name));
  }
  std::string name;
  for (const AttributeView value : partition) append_key_part(name, value);
  const std::vector<std::string> values = IndexedVectors::names_of(filters);
  return vectors.put_place({.key = key, .partition = name, .values = values, .vector = {}});
}

// A waiting reader waits only for threads that came before it.
std::shared_lock<std::shared_mutex> VectorIndex::lock_to_read() const {
  std::unique_lock turn(turn_, std::try_to_lock);
  if (!turn.owns_lock()) {
    Effort::before_waiting();
    turn.lock();
  }
  std::shared_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) {
    Effort::before_waiting();
    lock.lock();
  }
  return lock;
}

template <typename Change>
void VectorIndex::change_vectors(Change change) {
  const std::lock_guard turn(turn_);
  const std::lock_guard lock(mutex_);
  change();
}

void VectorIndex::follow_file(std::string_view last_close) {
  if (files_ == nullptr || !files_->has(file_name(), last_close)) return;
  change_vectors([&] {
    if (vectors_ == nullptr)
      file_ = {.close = std::string(last_close), .is_right = true, .changes = 0};
  });
}

void VectorIndex::record_size() {
  is_large_ =
      vectors_ != nullptr && vectors_->size() * schema_.vector.dimensions > kElementsOfAnInstant;
}

void VectorIndex::apply(EntryChange change, WriteBatch& batch) {
  std::string value;
  if (!change.put_key.empty()) {
    value = without_vector(decode_item(change.value), schema_.vector.attribute,
                           decode_item_size(change.value));
  }
  staged_.push_back({change.delete_key, change.put_key, std::move(change.value)});
  change.value = std::move(value);
  tree_.apply(std::move(change), batch);
}

void VectorIndex::take_step(IndexedVectors& vectors, const Step& step) const {
  if (!step.remove_key.empty()) vectors.remove(step.remove_key);
  if (step.put_key.empty()) return;
  const ItemView entry = decode_item(step.value);
  const AttributeView value = entry.find(schema_.vector.attribute);
  if (!value || value.type() != AttributeType::kBinary) return vectors.remove(step.put_key);
  const std::vector<float> vector = vector_of_bytes(value.scalar_bytes());
  const bool is_good = vector.size() == schema_.vector.dimensions &&
                       std::ranges::all_of(vector, [](float one) { return std::isfinite(one); });
  if (!is_good) return vectors.remove(step.put_key);  // of a damaged record
  const auto place = place_of(vectors, step.put_key, entry);
  if (place) IndexedVectors::set(*place, vector);
}

// If memory is too short for all changes, the vectors must be loaded again.
void VectorIndex::committed() noexcept {
  if (staged_.empty()) return;
  change_vectors([this]() noexcept {
    try {
      for (const Step& step : staged_) {
        if (vectors_ != nullptr) take_step(*vectors_, step);
      }
      keep_changes();
    } catch (const std::bad_alloc&) {
      vectors_.reset();
      is_loading_ = false;
      file_ = {};
      since_ = {};
    }
    record_size();
  });
  staged_.clear();
}

void VectorIndex::keep_changes() {
  file_.is_right = false;
  if (vectors_ != nullptr || (!is_loading_ && file_.close.empty())) return;
  since_.insert(since_.end(), staged_.begin(), staged_.end());
  for (const Step& step : staged_) file_.changes += step.bytes();
  if (is_loading_ || file_.changes <= kMostChangesOfAFile) return;
  file_ = {};
  since_ = {};
}

bool VectorIndex::is_loaded() const {
  const auto lock = lock_to_read();
  return vectors_ != nullptr;
}

bool VectorIndex::load(const TableSchema& table, const PartitionMap& items, Effort& effort) {
  Effort::take(load_mutex_);
  const std::lock_guard loading(load_mutex_, std::adopt_lock);
  if (is_loaded()) return false;
  std::string close;
  change_vectors([&] {
    is_loading_ = true;
    close = file_.close;
  });
  const absl::Cleanup forget = [this] {
    change_vectors([this] {
      is_loading_ = false;
      if (vectors_ != nullptr || file_.close.empty()) since_ = {};
    });
  };
  std::unique_ptr<IndexedVectors> vectors;
  if (!close.empty()) vectors = read_file(close, effort);
  const bool is_from_file = vectors != nullptr;
  if (!is_from_file) {
    change_vectors([this] { file_ = {}; });
    vectors = read_items(table, items, effort);
  }
  change_vectors([&] {
    if (!is_loading_) throw std::bad_alloc();  // no memory for the changes made meanwhile
    for (const Step& step : since_) take_step(*vectors, step);
    vectors_ = std::move(vectors);
    is_from_file_ = is_from_file;
    record_size();
  });
  return true;
}

std::unique_ptr<IndexedVectors> VectorIndex::read_items(const TableSchema& table,
                                                        const PartitionMap& items,
                                                        Effort& effort) const {
  auto vectors = no_vectors();
  const ItemVectors reader(engine_, items, schema_.vector);
  std::vector<ItemVectors::Wanted> wanted;
  std::size_t bytes = 0;
  const auto read = [&] {
    reader.read(wanted);
    for (const ItemVectors::Wanted& one : wanted) {
      // If an item has no vector now, the change of its entry is still pending.
      if (!one.is_found) vectors->remove(one.place);
    }
    wanted.clear();
    bytes = 0;
  };
  IndexSchema keys_of_table;
  keys_of_table.key = table.key;
  for (const TreePtr& tree : tree_.partitions().trees()) {
    const auto cursor = engine_.scan(*tree, {}, {}, Direction::kForward);
    while (cursor->next()) {
      effort.spend(kStepsOfAMatch + schema_.vector.dimensions);
      const ItemView entry = decode_item(cursor->value());
      IndexKeyValues keys;
      if (!collect_index_key(keys_of_table, entry, keys)) {
        throw EngineError(messages::kDamagedIndexEntry);
      }
      const auto place = place_of(*vectors, cursor->key(), entry);
      if (!place) continue;
      wanted.push_back({.key = item_key(table, entry), .place = *place, .is_found = false});
      bytes += sizeof wanted.back() + wanted.back().key.size();
      if (bytes > kMostWanted) read();
    }
  }
  read();
  return vectors;
}

// The existing entries of the best matches, at most as many as requested.
std::vector<VectorMatch> VectorIndex::fetch(const std::vector<IndexedVectors::Found>& found,
                                            const VectorSearch& search) const {
  std::vector<VectorMatch> matches;
  for (const IndexedVectors::Found& one : found) {
    if (matches.size() == search.count) break;
    PinnedValue entry = engine_.get(*tree_.partitions().tree_of(*one.key), *one.key);
    if (!entry) continue;  // deleted by a commit that has not reached the vectors yet
    VectorMatch& match = matches.emplace_back();
    match.entry = std::move(entry);
    match.score = one.score;
    if (search.wants_vectors) match.vector.assign(one.vector.begin(), one.vector.end());
  }
  return matches;
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
  const auto lock = lock_to_read();
  if (vectors_ == nullptr) return {};
  const std::uint64_t steps =
      vectors_->size_of(partition) * (search.query.size() / kElementsOfAStep + 1);
  for (std::size_t count = search.count;; count *= 2) {
    effort.spend(steps + count * kStepsOfAMatch);
    const auto found = vectors_->search(partition, values, search.query, count);
    std::vector<VectorMatch> matches = fetch(found, search);
    if (matches.size() == search.count || found.size() < count) return matches;
  }
}

std::size_t VectorIndex::memory() const {
  const auto lock = lock_to_read();
  return vectors_ == nullptr ? 0 : vectors_->bytes();
}

std::size_t VectorIndex::bytes_of_a_vector() const {
  return schema_.vector.dimensions * sizeof(float) + kBytesBesideAVector;
}

}  // namespace magneto::storage
