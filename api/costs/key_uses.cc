#include "api/costs/key_uses.h"

#include <algorithm>
#include <iterator>

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

bool is_hotter(const HotKey& a, const HotKey& b) {
  return a.uses != b.uses ? a.uses > b.uses : a.key < b.key;
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
  struct Keys {
    std::uint64_t uses = 0;
    std::vector<std::size_t> patterns;
    absl::btree_map<std::string_view, Use> of_key;
  };
  absl::btree_map<std::pair<std::string_view, std::string_view>, Keys> places;
  for (const auto& [of, use] : uses_) {
    const Pattern pattern = pattern_at(of.first);
    Keys& keys = places[{pattern.table, pattern.index}];
    if (keys.patterns.empty() || keys.patterns.back() != of.first) {
      keys.patterns.push_back(of.first);
    }
    keys.uses += use.uses;
    Use& sum = keys.of_key[of.second];
    sum.uses += use.uses;
    sum.read_units += use.read_units * pattern.rate;
    sum.write_units += use.write_units * pattern.rate;
  }
  std::vector<HotKey> found;
  for (const auto& [place, keys] : places) {
    std::vector<HotKey> hot;
    for (const auto& entry : keys.of_key) {
      const std::string_view text = entry.first;
      const Use& use = entry.second;
      const double share = static_cast<double>(use.uses) / static_cast<double>(keys.uses);
      HotKey key{.table = place.first,
                 .index = place.second,
                 .uses = use.uses,
                 .share = share,
                 .read_units = use.read_units,
                 .write_units = use.write_units};
      const bool is_large = share > HotKey::kLargeShare && use.uses >= HotKey::kLeastUses;
      if (!is_large && !key.exceeds_partition()) continue;
      key.key = std::string(text) + "}";
      std::ranges::copy_if(keys.patterns, std::back_inserter(key.patterns), [&](std::size_t at) {
        return uses_.contains({at, text});
      });
      hot.push_back(std::move(key));
    }
    std::ranges::sort(hot, is_hotter);
    if (hot.size() > HotKey::kMostPerTable) hot.resize(HotKey::kMostPerTable);
    std::ranges::move(hot, std::back_inserter(found));
  }
  return found;
}

}  // namespace magneto::api
