#include "expressions/path_values.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace magneto::expressions {

using storage::AttributeType;
using storage::AttributeView;
using storage::Effort;

namespace {

using Entries = std::span<const PathTable::Entry>;

// Walks an item along sorted paths.
class Walk {
 public:
  Walk(PathTable::Values& values, Effort& effort) : values_(values), effort_(effort) {}

  // Walks a map. The entries continue with names at `depth`.
  void members(storage::MapView map, Entries entries, std::size_t depth) {
    std::uint64_t passed = 0;
    for (const storage::NamedAttribute& member : map) {
      ++passed;
      entries = entries.subspan(count_front(entries, [&](const PathTable::Entry& entry) {
        return entry.path[depth].name < member.name;
      }));
      if (entries.empty()) break;
      if (entries.front().path[depth].name != member.name) continue;
      const std::size_t count = count_front(entries, [&](const PathTable::Entry& entry) {
        return entry.path[depth].name == member.name;
      });
      value(member.value, entries.first(count), depth + 1);
      entries = entries.subspan(count);
    }
    effort_.spend(passed);
  }

 private:
  void elements(storage::ListView list, Entries entries, std::size_t depth) {
    std::uint32_t index = 0;
    for (const AttributeView element : list) {
      if (entries.empty()) break;
      const std::uint32_t at = index++;
      if (entries.front().path[depth].index != at) continue;
      const std::size_t count = count_front(
          entries, [&](const PathTable::Entry& entry) { return entry.path[depth].index == at; });
      value(element, entries.first(count), depth + 1);
      entries = entries.subspan(count);
    }
    effort_.spend(index);
  }

  // The first `depth` steps of the entries lead to the value. Entries that end here come first,
  // then entries with an index, then entries with a name.
  void value(AttributeView value, Entries entries, std::size_t depth) {
    std::size_t ending = 0;
    for (; ending < entries.size() && entries[ending].path.size() == depth; ++ending) {
      values_.by_slot[entries[ending].slot] = value;
      values_.found.push_back(entries[ending].slot);
    }
    effort_.spend(ending);
    entries = entries.subspan(ending);
    if (entries.empty() || !storage::is_document(value.type())) return;
    const std::size_t indexes = count_front(
        entries, [depth](const PathTable::Entry& entry) { return entry.path[depth].is_index(); });
    if (value.type() == AttributeType::kList) {
      elements(value.list(), entries.first(indexes), depth);
    } else if (indexes < entries.size()) {
      members(value.map(), entries.subspan(indexes), depth);
    }
  }

  PathTable::Values& values_;
  Effort& effort_;
};

}  // namespace

AttributeView find(storage::ItemView item, PathView path, Effort& effort) {
  std::uint64_t passed = 1;
  AttributeView value = item.find(path.front().name, passed);
  for (const PathElement& element : path.subspan(1)) {
    if (!value) break;
    if (value.type() != (element.is_index() ? AttributeType::kList : AttributeType::kMap)) {
      value = {};
    } else if (element.is_index()) {
      passed += std::min(element.index, value.list().size());
      value = value.list().at(element.index);
    } else {
      value = value.map().find(element.name, passed);
    }
  }
  effort.spend(passed);
  return value;
}

PathTable::PathTable(std::vector<Entry> entries, std::size_t slots)
    : entries_(std::move(entries)), slots_(slots) {
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return path_less(a.path, b.path); });
}

PathTable::Values PathTable::find_all(storage::ItemView item, Effort& effort) const {
  constexpr std::size_t kSlotsInAStep = 8;
  effort.spend(slots_ / kSlotsInAStep + 1);
  Values values;
  values.by_slot.resize(slots_);
  Walk(values, effort).members(item, entries_, 0);
  effort.spend(values.found.size());
  std::sort(values.found.begin(), values.found.end());
  return values;
}

}  // namespace magneto::expressions
