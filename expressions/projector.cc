#include "expressions/projector.h"

#include <string>

#include "storage/model/value_writer.h"

namespace magneto::expressions {

using storage::AttributeType;
using storage::AttributeView;
using storage::ItemView;
using storage::MapView;
using storage::NamedAttribute;
using storage::ValueWriter;

namespace {

// Paths with the same first steps.
using Group = std::span<const PathView>;

// Splits off the paths with the same step at `depth` as the first.
Group take_group(Group& paths, std::size_t depth) {
  std::size_t count = 1;
  while (count < paths.size() && paths[count][depth] == paths.front()[depth]) ++count;
  const Group group = paths.first(count);
  paths = paths.subspan(count);
  return group;
}

// Calls visit(member, group) for each member some of the paths lead to, until it returns true.
template <typename Visit>
bool visit_members(MapView members, Group paths, std::size_t depth, Visit visit) {
  for (const NamedAttribute& member : members) {
    while (!paths.empty() && paths.front()[depth].name < member.name) take_group(paths, depth);
    if (paths.empty()) return false;
    if (paths.front()[depth].name != member.name) continue;
    if (visit(member, take_group(paths, depth))) return true;
  }
  return false;
}

template <typename Visit>
bool visit_elements(storage::ListView elements, Group paths, std::size_t depth, Visit visit) {
  std::uint32_t index = 0;
  for (const AttributeView element : elements) {
    if (paths.empty()) return false;
    if (paths.front()[depth].index == index && visit(element, take_group(paths, depth))) {
      return true;
    }
    ++index;
  }
  return false;
}

// Whether a path of the group ends in `value` or in something inside it; its first `depth` steps
// lead to `value`.
bool leads_to_value(AttributeView value, Group group, std::size_t depth) {
  if (group.front().size() == depth) return true;
  const bool by_index = group.front()[depth].is_index();
  if (value.type() == AttributeType::kMap && !by_index) {
    return visit_members(value.map(), group, depth, [&](const NamedAttribute& member, Group inner) {
      return leads_to_value(member.value, inner, depth + 1);
    });
  }
  if (value.type() == AttributeType::kList && by_index) {
    return visit_elements(value.list(), group, depth, [&](AttributeView element, Group inner) {
      return leads_to_value(element, inner, depth + 1);
    });
  }
  return false;
}

class Projector {
 public:
  explicit Projector(std::string& out) : writer_(out) {}

  void write_item(ItemView item, Group paths) {
    writer_.begin_item();
    write_members(item, paths, 0);
    writer_.end_item();
  }

 private:
  void write_members(MapView members, Group paths, std::size_t depth) {
    visit_members(members, paths, depth, [&](const NamedAttribute& member, Group group) {
      if (leads_to_value(member.value, group, depth + 1)) {
        writer_.name(member.name);
        write_chosen(member.value, group, depth + 1);
      }
      return false;
    });
  }

  void write_elements(storage::ListView elements, Group paths, std::size_t depth) {
    visit_elements(elements, paths, depth, [&](AttributeView element, Group group) {
      if (leads_to_value(element, group, depth + 1)) write_chosen(element, group, depth + 1);
      return false;
    });
  }

  void write_chosen(AttributeView value, Group group, std::size_t depth) {
    if (group.front().size() == depth) {
      writer_.value(value);
    } else if (value.type() == AttributeType::kMap) {
      writer_.begin_map();
      write_members(value.map(), group, depth);
      writer_.end_map();
    } else {
      writer_.begin_list();
      write_elements(value.list(), group, depth);
      writer_.end_list();
    }
  }

  ValueWriter writer_;
};

}  // namespace

storage::Item project(ItemView item, std::span<const PathView> paths) {
  std::string out;
  Projector(out).write_item(item, paths);
  return storage::Item(std::move(out));
}

}  // namespace magneto::expressions
