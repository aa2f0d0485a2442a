#include "expressions/projector.h"

#include <string>

#include "storage/model/value_writer.h"

namespace magneto::expressions {

using storage::AttributeType;
using storage::AttributeView;
using storage::Effort;
using storage::ItemView;
using storage::MapView;
using storage::NamedAttribute;
using storage::ValueWriter;

namespace {

// Paths that share their first steps.
using Group = std::span<const PathView>;

class Projector {
 public:
  Projector(std::string& out, Effort& effort) : writer_(out), effort_(effort) {}

  void write_item(ItemView item, Group paths) {
    writer_.begin_item();
    write_members(item, paths, 0);
    writer_.end_item();
  }

 private:
  // write_members() and write_elements() return whether any fragment was written.
  bool write_members(MapView members, Group paths, std::size_t depth) {
    bool any = false;
    std::uint64_t passed = 0;
    for (const NamedAttribute& member : members) {
      ++passed;
      paths = paths.subspan(count_front(paths, [&](PathView path) {
        return storage::compare_names(path[depth].name, member.name) < 0;
      }));
      if (paths.empty()) break;
      if (paths.front()[depth].name != member.name) continue;
      const Group group = take_group(paths, depth);
      const ValueWriter::Mark place = writer_.place();
      writer_.name(member.name);
      const bool chosen = write_chosen(member.value, group, depth + 1);
      if (!chosen) writer_.take_back(place);
      any |= chosen;
    }
    effort_.spend(passed);
    return any;
  }

  bool write_elements(storage::ListView elements, Group paths, std::size_t depth) {
    bool any = false;
    std::uint32_t index = 0;
    for (const AttributeView element : elements) {
      if (paths.empty()) break;
      const std::uint32_t at = index++;
      if (paths.front()[depth].index != at) continue;
      const Group group = take_group(paths, depth);
      const ValueWriter::Mark place = writer_.place();
      const bool chosen = write_chosen(element, group, depth + 1);
      if (!chosen) writer_.take_back(place);
      any |= chosen;
    }
    effort_.spend(index);
    return any;
  }

  // Writes the parts of `value` that a path of the group selects, and returns whether there were
  // any. The first `depth` steps of the paths lead to `value`.
  bool write_chosen(AttributeView value, Group group, std::size_t depth) {
    constexpr std::size_t kCopiedInAStep = 64;
    if (group.front().size() == depth) {
      writer_.value(value);
      effort_.spend(1 + value.bytes().size() / kCopiedInAStep);
      return true;
    }
    const bool by_index = group.front()[depth].is_index();
    if (value.type() == AttributeType::kMap && !by_index) {
      writer_.begin_map();
      const bool any = write_members(value.map(), group, depth);
      writer_.end_map();
      return any;
    }
    if (value.type() == AttributeType::kList && by_index) {
      writer_.begin_list();
      const bool any = write_elements(value.list(), group, depth);
      writer_.end_list();
      return any;
    }
    return false;
  }

  // Splits off the paths with the same step at `depth` as the first path.
  static Group take_group(Group& paths, std::size_t depth) {
    const PathElement& step = paths.front()[depth];
    const std::size_t count =
        count_front(paths, [&](PathView path) { return path[depth] == step; });
    const Group group = paths.first(count);
    paths = paths.subspan(count);
    return group;
  }

  ValueWriter writer_;
  Effort& effort_;
};

}  // namespace

storage::Item project(ItemView item, std::span<const PathView> paths, Effort& effort) {
  std::string out;
  Projector(out, effort).write_item(item, paths);
  return storage::Item(std::move(out));
}

}  // namespace magneto::expressions
