#include "expressions/projector.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace magneto::expressions {

using storage::AttributeType;
using storage::AttributeView;
using storage::Effort;
using storage::ItemView;
using storage::MapView;

namespace {

// Paths that share their first steps.
using Group = std::span<const PathView>;

// Copies canonical bytes, whose members are in order, so what is written is canonical as well.
class Projector {
 public:
  Projector(std::string& out, Effort& effort) : out_(out), effort_(effort) {}

  void write_item(ItemView item, Group paths) {
    out_.append(kCountBytes, '\0');
    const std::uint32_t count = write_members(item, paths, 0);
    storage::write_count(out_.data(), count);
  }

 private:
  static constexpr std::size_t kCountBytes = 4;  // of a size, too

  // write_members() and write_elements() return the number that was written.
  std::uint32_t write_members(MapView members, Group paths, std::size_t depth) {
    std::uint32_t written = 0;
    std::uint64_t passed = 0;
    std::string_view rest = members.members();
    while (!rest.empty()) {
      ++passed;
      const char* const member = rest.data();
      const std::string_view name = storage::take_bytes(rest);
      const auto order = [&](PathView path) {
        return storage::compare_names(path[depth].name, name);
      };
      int first = order(paths.front());
      if (first < 0) {
        paths = paths.subspan(count_front(paths, [&](PathView path) { return order(path) < 0; }));
        if (paths.empty()) break;
        first = order(paths.front());
      }
      const AttributeView value = storage::take_value(rest);
      if (first != 0) continue;
      const std::size_t before = out_.size();
      out_.append(member, value.bytes().data());
      const bool is_written = write_chosen(value, take_group(paths, depth), depth + 1);
      written += is_written ? 1 : 0;
      if (!is_written) out_.resize(before);
      if (paths.empty()) break;
    }
    effort_.spend(passed);
    return written;
  }

  std::uint32_t write_elements(storage::ListView elements, Group paths, std::size_t depth) {
    std::uint32_t written = 0;
    std::uint32_t index = 0;
    for (const AttributeView element : elements) {
      if (paths.empty()) break;
      const std::uint32_t at = index++;
      if (paths.front()[depth].index != at) continue;
      if (write_chosen(element, take_group(paths, depth), depth + 1)) ++written;
    }
    effort_.spend(index);
    return written;
  }

  // Writes the parts of `value` that a path of the group selects. Writes nothing and returns false
  // if there are none. The first `depth` steps of the paths lead to `value`.
  bool write_chosen(AttributeView value, Group group, std::size_t depth) {
    constexpr std::size_t kCopiedInAStep = 64;
    if (group.front().size() == depth) {
      out_.append(value.bytes());
      effort_.spend(1 + value.bytes().size() / kCopiedInAStep);
      return true;
    }
    const bool by_index = group.front()[depth].is_index();
    if (value.type() != (by_index ? AttributeType::kList : AttributeType::kMap)) return false;
    const std::size_t before = out_.size();
    out_.append(value.bytes().substr(0, 1 + 2 * kCountBytes));
    const std::uint32_t count = by_index ? write_elements(value.list(), group, depth)
                                         : write_members(value.map(), group, depth);
    if (count == 0) {
      out_.resize(before);
      return false;
    }
    char* const size = out_.data() + before + 1;
    storage::write_count(size, out_.size() - before - 1 - kCountBytes);
    storage::write_count(size + kCountBytes, count);
    return true;
  }

  // Splits off the paths with the same step at `depth` as the first path.
  static Group take_group(Group& paths, std::size_t depth) {
    const PathElement& step = paths.front()[depth];
    const std::size_t count =
        1 + count_front(paths.subspan(1), [&](PathView path) { return path[depth] == step; });
    const Group group = paths.first(count);
    paths = paths.subspan(count);
    return group;
  }

  std::string& out_;
  Effort& effort_;
};

}  // namespace

storage::Item project(ItemView item, std::span<const PathView> paths, Effort& effort) {
  constexpr std::size_t kReserved = 256;  // enough for most
  std::string out;
  out.reserve(std::min(item.bytes().size(), kReserved));
  Projector(out, effort).write_item(item, paths);
  return storage::Item(std::move(out));
}

}  // namespace magneto::expressions
