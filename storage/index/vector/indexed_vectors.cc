#include "storage/index/vector/indexed_vectors.h"

#include <algorithm>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "storage/encoding/digest.h"
#include "storage/model/narrow.h"

namespace magneto::storage {

struct IndexedVectors::Group {
  Group(std::string_view partition, std::uint32_t dimensions, DistanceFunction function)
      : name(partition), rows(dimensions, function) {}

  const std::string name;
  VectorRows rows;
  std::vector<const std::string*> keys;  // of entries, by slot
  std::vector<ValueNumber> values;       // by slot, for each filter
};

namespace {

constexpr std::size_t kLongestValue = 64;

// The name of a value: the value itself, or a digest, which is longer than all short values.
std::string name_of(AttributeView value) {
  if (!value) return {};
  if (value.bytes().size() <= kLongestValue) return std::string(value.bytes());
  std::string name(bytes_of(digest_of(value.bytes())));
  name.resize(kLongestValue + 1);
  return name;
}

}  // namespace

IndexedVectors::ValueNumber IndexedVectors::Values::take(const std::string& name) {
  if (name.empty()) return 0;
  const auto [found, is_new] = numbers_.try_emplace(name, 0);
  if (is_new) {
    if (free_.empty()) {
      uses_.emplace_back();
      found->second = narrow<ValueNumber>(uses_.size());
    } else {
      found->second = free_.back();
      free_.pop_back();
    }
    uses_[found->second - 1] = {.value = &found->first, .count = 0};
    bytes_ += found->first.size();
  }
  ++uses_[found->second - 1].count;
  return found->second;
}

std::string_view IndexedVectors::Values::name_of(ValueNumber number) const {
  return number == 0 ? std::string_view() : *uses_[number - 1].value;
}

void IndexedVectors::Values::give_back(ValueNumber number) {
  if (number == 0) return;
  Use& use = uses_[number - 1];
  if (--use.count != 0) return;
  bytes_ -= use.value->size();
  numbers_.erase(std::string(*use.value));  // a copy: the erased element holds the name
  use.value = nullptr;
  free_.push_back(number);
}

IndexedVectors::ValueNumber IndexedVectors::Values::find(AttributeView value) const {
  const auto found = numbers_.find(storage::name_of(value));
  return found == numbers_.end() ? 0 : found->second;
}

IndexedVectors::IndexedVectors(std::uint32_t dimensions, DistanceFunction function,
                               std::size_t filters)
    : dimensions_(dimensions), function_(function), values_(filters) {}

IndexedVectors::~IndexedVectors() = default;

std::vector<std::string> IndexedVectors::names_of(std::span<const AttributeView> values) {
  std::vector<std::string> names;
  names.reserve(values.size());
  for (const AttributeView value : values) names.push_back(name_of(value));
  return names;
}

void IndexedVectors::put(const Entry& entry) { set(put_place(entry), entry.vector); }

void IndexedVectors::set(const Place& place, std::span<const float> vector) {
  place.group->rows.replace(place.slot, vector);
}

IndexedVectors::Place IndexedVectors::put_place(const Entry& entry) {
  const auto found = places_.find(std::string(entry.key));
  if (found == places_.end()) return add(entry);
  const Place place = found->second;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    ValueNumber& number = place.group->values[place.slot * values_.size() + i];
    values_[i].give_back(std::exchange(number, values_[i].take(entry.values[i])));
  }
  return place;
}

// If memory is too short, adds nothing.
IndexedVectors::Place IndexedVectors::add(const Entry& entry) {
  auto& owner = groups_[std::string(entry.partition)];
  if (owner == nullptr) owner = std::make_unique<Group>(entry.partition, dimensions_, function_);
  Group& group = *owner;
  const VectorRows::Slot slot = group.rows.add_later();
  absl::Cleanup take_back = [&] {
    if (slot < group.keys.size()) group.keys[slot] = nullptr;
    group.rows.remove(slot);
    if (group.rows.size() == 0) groups_.erase(std::string(group.name));
  };
  group.values.resize(
      std::max<std::size_t>(group.values.size(), group.rows.end() * values_.size()));
  group.keys.resize(std::max<std::size_t>(group.keys.size(), group.rows.end()));
  const auto place =
      places_.try_emplace(std::string(entry.key), Place{.group = &group, .slot = slot}).first;
  std::move(take_back).Cancel();
  group.keys[slot] = &place->first;
  key_bytes_ += place->first.size();
  for (std::size_t i = 0; i < values_.size(); ++i) {
    group.values[slot * values_.size() + i] = values_[i].take(entry.values[i]);
  }
  return place->second;
}

bool IndexedVectors::for_each(absl::FunctionRef<bool(const Entry&)> action) const {
  std::vector<std::string> names(values_.size());
  for (const auto& [partition, group] : groups_) {
    for (std::size_t slot = 0; slot < group->keys.size(); ++slot) {
      if (group->keys[slot] == nullptr) continue;
      for (std::size_t i = 0; i < names.size(); ++i) {
        names[i].assign(values_[i].name_of(group->values[slot * names.size() + i]));
      }
      const Entry entry{.key = *group->keys[slot],
                        .partition = partition,
                        .values = names,
                        .vector = group->rows.vector(narrow<VectorRows::Slot>(slot))};
      if (!action(entry)) return false;
    }
  }
  return true;
}

void IndexedVectors::remove(std::string_view key) {
  const auto found = places_.find(std::string(key));
  if (found == places_.end()) return;
  forget(found->second);
  key_bytes_ -= found->first.size();
  places_.erase(found);
}

void IndexedVectors::remove(const Place& place) {
  remove(std::string(*place.group->keys[place.slot]));
}

void IndexedVectors::forget(const Place& place) {
  Group& group = *place.group;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values_[i].give_back(std::exchange(group.values[place.slot * values_.size() + i], 0));
  }
  group.keys[place.slot] = nullptr;
  group.rows.remove(place.slot);
  if (group.rows.size() == 0) groups_.erase(std::string(group.name));
}

std::size_t IndexedVectors::size_of(std::string_view partition) const {
  const auto found = groups_.find(std::string(partition));
  return found == groups_.end() ? 0 : found->second->rows.size();
}

std::vector<IndexedVectors::Found> IndexedVectors::search(std::string_view partition,
                                                          std::span<const AttributeView> values,
                                                          std::span<const float> query,
                                                          std::size_t count) const {
  const auto found = groups_.find(std::string(partition));
  if (found == groups_.end()) return {};
  const Group& group = *found->second;
  std::vector<std::pair<std::size_t, ValueNumber>> wanted;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (!values[i]) continue;
    wanted.emplace_back(i, values_[i].find(values[i]));
    if (wanted.back().second == 0) return {};
  }
  const auto accepts = [&](VectorRows::Slot slot) {
    for (const auto& [filter, number] : wanted) {
      if (group.values[slot * values_.size() + filter] != number) return false;
    }
    return true;
  };
  const std::vector<VectorRows::Found> best =
      wanted.empty() ? group.rows.search(query, count) : group.rows.search(query, count, accepts);
  std::vector<Found> matches;
  matches.reserve(best.size());
  for (const auto& [slot, score] : best) {
    matches.push_back({group.keys[slot], group.rows.vector(slot), score});
  }
  return matches;
}

std::size_t IndexedVectors::bytes() const {
  std::size_t bytes = key_bytes_ + places_.size() * (sizeof(std::string) + sizeof(Place));
  for (const Values& values : values_) bytes += values.bytes();
  for (const auto& [name, group] : groups_) {
    bytes += sizeof(Group) + group->rows.bytes() + group->keys.capacity() * sizeof(void*) +
             group->values.capacity() * sizeof(ValueNumber);
  }
  return bytes;
}

}  // namespace magneto::storage
