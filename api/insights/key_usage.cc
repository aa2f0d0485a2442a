#include "api/insights/key_usage.h"

#include <algorithm>

#include "storage/model/narrow.h"

namespace magneto::api {
namespace {

using storage::AttributeView;
using storage::Index;
using storage::IndexEffect;
using storage::ItemView;
using storage::Table;

// nullptr: counts for the table itself.
const Index* counted_index(const Index* index) {
  return index != nullptr && index->schema.has_own_throughput() ? index : nullptr;
}

const storage::KeySchema& key_of(const Table& table, const Index* index) {
  const Index* const counted = counted_index(index);
  return counted == nullptr ? table.schema.key : counted->schema.key;
}

KeyRule rule_of(KeyEvent event, bool whole) {
  if (event == KeyEvent::kAccess) {
    return whole ? KeyRule::kAccessedKey : KeyRule::kAccessedPartition;
  }
  return whole ? KeyRule::kThrottledKey : KeyRule::kThrottledPartition;
}

// False if a value is missing or has the wrong type.
bool append_values(std::span<const storage::KeyAttribute> key, ItemView attributes,
                   std::string& bytes) {
  for (const storage::KeyAttribute& attribute : key) {
    const AttributeView value = attributes.find(attribute.name);
    if (!value || value.type() != attribute.type) return false;
    bytes += value.bytes();
  }
  return true;
}

}  // namespace

const storage::ContributorInsights* KeyUsage::find(const storage::TableSchema& schema,
                                                   const storage::IndexSchema* index) {
  const std::string_view name = index == nullptr ? std::string_view() : index->name;
  const auto found =
      std::ranges::find(schema.contributor_insights, name, &storage::ContributorInsights::index);
  return found == schema.contributor_insights.end() ? nullptr : &*found;
}

bool KeyUsage::is_wanted(const Table& table, const Index* index, KeyEvent event) {
  const Index* const counted = counted_index(index);
  const auto* const enabled = find(table.schema, counted == nullptr ? nullptr : &counted->schema);
  return enabled != nullptr && (event == KeyEvent::kThrottle || !enabled->throttled_keys_only);
}

std::uint32_t KeyUsage::place_of(const Table& table, const Index* index) {
  const Index* const counted = counted_index(index);
  const auto& owner = counted == nullptr ? table.statistics : counted->statistics;
  if (noted_ == nullptr) noted_ = std::make_unique<Noted>();
  std::vector<CountedKeys>& places = noted_->places;
  // Searches from the end, because the last place is the most frequent.
  for (std::size_t i = places.size(); i-- > 0;) {
    if (places[i].owner == owner) return storage::narrow<std::uint32_t>(i);
  }
  const auto* const enabled = find(table.schema, counted == nullptr ? nullptr : &counted->schema);
  places.push_back({owner, enabled == nullptr ? 0 : enabled->updated});
  return storage::narrow<std::uint32_t>(places.size() - 1);
}

void KeyUsage::add_note(std::uint32_t place, KeyRule rule, std::size_t begin) {
  noted_->notes.push_back({place, rule, storage::narrow<std::uint32_t>(begin),
                           storage::narrow<std::uint32_t>(noted_->bytes.size())});
}

void KeyUsage::add(const Table& table, const Index* index, KeyEvent event, ItemView attributes) {
  const std::uint32_t place = place_of(table, index);
  const storage::KeySchema& key = key_of(table, index);
  std::string& bytes = noted_->bytes;
  const std::size_t begin = bytes.size();
  if (!append_values(key.partition, attributes, bytes)) {
    bytes.resize(begin);
    return;
  }
  add_note(place, rule_of(event, false), begin);
  if (key.sort.empty()) return;
  const std::size_t end = bytes.size();
  if (append_values(key.sort, attributes, bytes)) {
    add_note(place, rule_of(event, true), begin);
  } else {
    bytes.resize(end);
  }
}

void KeyUsage::add(const Table& table, const Index* index, KeyEvent event,
                   std::span<const AttributeView> partition) {
  const std::uint32_t place = place_of(table, index);
  const std::size_t begin = noted_->bytes.size();
  for (const AttributeView value : partition) noted_->bytes += value.bytes();
  add_note(place, rule_of(event, false), begin);
}

void KeyUsage::count_noted() {
  insights_.count(noted_->places, noted_->notes, noted_->bytes);
  noted_.reset();
}

std::vector<AttributeView> KeyUsage::attributes_of(std::string_view key) {
  std::vector<AttributeView> values;
  while (!key.empty()) values.push_back(storage::take_value(key));
  return values;
}

void record_written_keys(KeyUsage& notes, const storage::WriteOutcome& outcome, ItemView key) {
  const Table& table = *outcome.table;
  if (KeyUsage::wants(table, nullptr, KeyEvent::kAccess)) {
    notes.add(table, nullptr, KeyEvent::kAccess, key);
  }
  for (const IndexEffect& effect : outcome.index_effects) {
    const Index* const index = effect.index;
    if (counted_index(index) == nullptr) continue;
    if (!KeyUsage::wants(table, index, KeyEvent::kAccess)) continue;
    // A moved entry counts as two: one deleted, one put.
    if (effect.old_size != 0 && (effect.moved || effect.new_size == 0)) {
      notes.add(table, index, KeyEvent::kAccess, outcome.old_item.view());
    }
    if (effect.new_size != 0) notes.add(table, index, KeyEvent::kAccess, outcome.new_item.view());
  }
}

}  // namespace magneto::api
