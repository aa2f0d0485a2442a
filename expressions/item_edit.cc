#include "expressions/item_edit.h"

#include <algorithm>
#include <string>

#include "storage/model/value_writer.h"

namespace magneto::expressions {

using storage::AttributeType;
using storage::AttributeView;
using storage::MapView;
using storage::NamedAttribute;
using storage::ValueWriter;

namespace {

// Writes edited copies of maps and lists by merging members with sorted edits.
class Merger {
 public:
  explicit Merger(std::string& out) : writer_(out) {}

  void write_item(MapView item, std::span<const Edit> edits) {
    writer_.begin_item();
    write_members(item, edits, 0);
    writer_.end_item();
  }

 private:
  void write_members(MapView members, std::span<const Edit> edits, std::size_t depth) {
    for (const NamedAttribute& member : members) {
      int order = 1;
      while (!edits.empty() &&
             (order = storage::compare_names(name_of(edits, depth), member.name)) < 0) {
        put_new(take_group(edits, depth), depth);
      }
      if (edits.empty() || order != 0) {
        writer_.name(member.name);
        writer_.value(member.value);
        continue;
      }
      const std::span<const Edit> group = take_group(edits, depth);
      if (is_removal(group, depth)) continue;
      writer_.name(member.name);
      write_edited(member.value, group, depth);
    }
    while (!edits.empty()) put_new(take_group(edits, depth), depth);
  }

  void write_elements(storage::ListView elements, std::span<const Edit> edits, std::size_t depth) {
    std::uint32_t index = 0;
    for (const AttributeView element : elements) {
      if (edits.empty() || edits.front().path[depth].index != index) {
        writer_.value(element);
      } else {
        const std::span<const Edit> group = take_group(edits, depth);
        if (!is_removal(group, depth)) write_edited(element, group, depth);
      }
      ++index;
    }
    for (const Edit& beyond : edits) {
      if (beyond.value && beyond.path.size() == depth + 1) writer_.value(beyond.value);
    }
  }

  void write_edited(AttributeView old, std::span<const Edit> group, std::size_t depth) {
    if (group.front().path.size() == depth + 1) {
      writer_.value(group.front().value);
    } else if (old.type() == AttributeType::kMap) {
      writer_.begin_map();
      write_members(old.map(), group, depth + 1);
      writer_.end_map();
    } else {
      writer_.begin_list();
      write_elements(old.list(), group, depth + 1);
      writer_.end_list();
    }
  }

  void put_new(std::span<const Edit> group, std::size_t depth) {
    const Edit& edit = group.front();
    if (edit.path.size() != depth + 1 || !edit.value) return;
    writer_.name(edit.path[depth].name);
    writer_.value(edit.value);
  }

  static std::string_view name_of(std::span<const Edit> edits, std::size_t depth) {
    return edits.front().path[depth].name;
  }

  static bool is_removal(std::span<const Edit> group, std::size_t depth) {
    return group.front().path.size() == depth + 1 && !group.front().value;
  }

  // Splits off the edits with the same step at `depth` as the first edit.
  static std::span<const Edit> take_group(std::span<const Edit>& edits, std::size_t depth) {
    std::size_t count = 1;
    while (count < edits.size() && edits[count].path[depth] == edits.front().path[depth]) ++count;
    const std::span<const Edit> group = edits.first(count);
    edits = edits.subspan(count);
    return group;
  }

  ValueWriter writer_;
};

}  // namespace

storage::Item apply_edits(storage::ItemView item, std::span<Edit> edits) {
  std::sort(edits.begin(), edits.end(),
            [](const Edit& a, const Edit& b) { return path_less(a.path, b.path); });
  std::size_t size = item.bytes().size() + sizeof(std::uint32_t);
  for (const Edit& edit : edits) size += edit.value.bytes().size() + 64;
  std::string out;
  out.reserve(size);
  Merger(out).write_item(item, edits);
  return storage::Item(std::move(out));
}

}  // namespace magneto::expressions
