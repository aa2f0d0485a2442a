#include "expressions/path_set.h"

#include <algorithm>
#include <tuple>

#include "absl/container/flat_hash_map.h"
#include "expressions/expression_error.h"
#include "expressions/messages.h"

namespace magneto::expressions {

namespace {

enum class Relation : std::uint8_t { kApart, kOverlap, kConflict };

Relation relation(PathView a, PathView b) {
  const std::size_t common = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (a[i].is_index() != b[i].is_index()) return Relation::kConflict;
    if (a[i] != b[i]) return Relation::kApart;
  }
  return Relation::kOverlap;
}

[[noreturn]] void throw_relation(PathView a, PathView b, Relation found) {
  throw ExpressionError(found == Relation::kOverlap
                            ? messages::overlapping_paths(path_text(a), path_text(b))
                            : messages::conflicting_paths(path_text(a), path_text(b)));
}

// Adds paths one by one, and reports the relation of each to the paths before it.
class Predecessors {
 public:
  // Adds `path`, and returns whether an earlier path has the wanted relation to it.
  bool add(PathView path, Relation wanted) {
    bool overlaps = false;
    bool conflicts = false;
    bool is_new = paths_.empty();
    std::size_t at = 0;
    for (const PathElement& element : path) {
      overlaps = overlaps || nodes_[at].ends;
      (element.is_index() ? nodes_[at].by_index : nodes_[at].by_name) = true;
      conflicts = conflicts || (nodes_[at].by_index && nodes_[at].by_name);
      const auto [next, added] = paths_.try_emplace(
          Step{at, element.is_index(), element.index, element.name}, nodes_.size());
      if (added) nodes_.emplace_back();
      is_new = is_new || added;
      at = next->second;
    }
    nodes_[at].ends = true;
    return wanted == Relation::kOverlap ? overlaps || !is_new : conflicts;
  }

 private:
  struct Node {
    bool ends = false;  // a path ends here
    bool by_index = false;
    bool by_name = false;
  };
  using Step = std::tuple<std::size_t, bool, std::uint32_t, std::string_view>;

  std::vector<Node> nodes_{1};
  absl::flat_hash_map<Step, std::size_t> paths_;  // from a node and a step to the next node
};

void report(std::span<const PathView> paths, Relation wanted) {
  Predecessors predecessors;
  for (std::size_t second = 0; second < paths.size(); ++second) {
    if (!predecessors.add(paths[second], wanted)) continue;
    for (std::size_t first = 0; first < second; ++first) {
      if (relation(paths[first], paths[second]) == wanted) {
        throw_relation(paths[first], paths[second], wanted);
      }
    }
  }
}

// Related paths are neighbours after sorting.
bool all_apart(std::span<const PathView> paths) {
  std::vector<PathView> sorted(paths.begin(), paths.end());
  std::sort(sorted.begin(), sorted.end(), path_less);
  return std::adjacent_find(sorted.begin(), sorted.end(), [](PathView a, PathView b) {
           return relation(a, b) != Relation::kApart;
         }) == sorted.end();
}

}  // namespace

std::string path_text(PathView path) {
  std::string text = "[";
  for (const PathElement& element : path) {
    if (text.size() > 1) text += ", ";
    if (element.is_index()) {
      text += '[' + std::to_string(element.index) + ']';
    } else {
      text += element.name;
    }
  }
  text += ']';
  return text;
}

bool same_path(PathView a, PathView b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool path_less(PathView a, PathView b) {
  const std::size_t common = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (a[i] == b[i]) continue;
    if (a[i].is_index() != b[i].is_index()) return a[i].is_index();
    return a[i].is_index() ? a[i].index < b[i].index : a[i].name < b[i].name;
  }
  return a.size() < b.size();
}

void check_paths(std::span<const PathView> paths) {
  if (paths.size() < 2 || all_apart(paths)) return;
  report(paths, Relation::kOverlap);
  report(paths, Relation::kConflict);
}

}  // namespace magneto::expressions
