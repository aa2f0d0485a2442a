#include "api/costs/key_uses.h"

#include <algorithm>

namespace magneto::api {
namespace {

// The first `count` members of an object of texts, without its last bracket.
std::string_view first_members(std::string_view object, std::size_t count) {
  bool is_in_text = false;
  for (std::size_t i = 0; i < object.size(); ++i) {
    if (object[i] == '\\') {
      ++i;
    } else if (object[i] == '"') {
      is_in_text = !is_in_text;
    } else if (!is_in_text && (object[i] == '}' || (object[i] == ',' && --count == 0))) {
      return object.substr(0, i);
    }
  }
  return object;
}

using Place = std::pair<std::string_view, std::string_view>;  // table and index

bool is_hotter(const HotKey& a, const HotKey& b) {
  return a.uses != b.uses ? a.uses > b.uses : a.key < b.key;
}

// Moves the hot ones to `found`. `uses`: of the whole table or index.
void take_hot(std::vector<HotKey>& keys, std::uint64_t uses, std::vector<HotKey>& found) {
  for (HotKey& key : keys) key.share = static_cast<double>(key.uses) / static_cast<double>(uses);
  std::erase_if(keys, [](const HotKey& key) {
    const bool is_large = key.share > HotKey::kLargeShare && key.uses >= HotKey::kLeastUses;
    return !is_large && !key.exceeds_partition();
  });
  std::ranges::sort(keys, is_hotter);
  if (keys.size() > HotKey::kMostPerTable) keys.resize(HotKey::kMostPerTable);
  std::ranges::move(keys, std::back_inserter(found));
}

}  // namespace

void KeyUses::add(const JournalRecord& record, std::size_t access, std::size_t pattern,
                  const JournalRecord::Use& use, double share) {
  const std::size_t attributes = record.accesses[access].partition_attributes;
  if (attributes == 0) return;
  for (const JournalRecord::Key& key : record.keys) {
    if (key.access != access) continue;
    Use& sum = uses_[{pattern, first_members(key.key, attributes)}];
    ++sum.uses;
    sum.read_units += share * use.read_units;
    sum.write_units += share * use.write_units;
  }
}

std::vector<HotKey> KeyUses::find_hot(absl::FunctionRef<Pattern(std::size_t)> pattern_at) const {
  absl::btree_map<Place, absl::btree_map<std::string_view, HotKey>> places;
  for (const auto& [of, use] : uses_) {
    const Pattern pattern = pattern_at(of.first);
    HotKey& key = places[{pattern.table, pattern.index}][of.second];
    key.uses += use.uses;
    key.read_units += use.read_units * pattern.rate;
    key.write_units += use.write_units * pattern.rate;
    key.patterns.push_back(of.first);
  }
  std::vector<HotKey> found;
  for (auto& [place, keys] : places) {
    std::uint64_t uses = 0;
    std::vector<HotKey> candidates;
    for (auto& [text, key] : keys) uses += key.uses;
    for (auto& [text, key] : keys) {
      // A key with fewer uses has no large share.
      if (key.uses < HotKey::kLeastUses && !key.exceeds_partition()) continue;
      key.key = std::string(text) + "}";
      key.table = place.first;
      key.index = place.second;
      candidates.push_back(std::move(key));
    }
    take_hot(candidates, uses, found);
  }
  return found;
}

}  // namespace magneto::api
