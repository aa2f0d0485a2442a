#include "expressions/partiql/key_plan.h"

#include <algorithm>
#include <utility>

#include "expressions/key_condition.h"

namespace magneto::expressions {

using storage::AttributeType;
using storage::AttributeView;
using storage::KeySchema;
using storage::SortOperator;

namespace {

bool is_attribute(const SyntaxTree& tree, const Node& node, std::string_view name) {
  return node.kind == NodeKind::kPath && node.count == 1 && tree.path(node).front().name == name;
}

SortOperator operator_of(NodeKind kind, bool reversed) {
  switch (kind) {
    case NodeKind::kEqual:
      return SortOperator::kEqual;
    case NodeKind::kLess:
      return reversed ? SortOperator::kGreater : SortOperator::kLess;
    case NodeKind::kLessOrEqual:
      return reversed ? SortOperator::kGreaterOrEqual : SortOperator::kLessOrEqual;
    case NodeKind::kGreater:
      return reversed ? SortOperator::kLess : SortOperator::kGreater;
    case NodeKind::kGreaterOrEqual:
      return reversed ? SortOperator::kLessOrEqual : SortOperator::kGreaterOrEqual;
    case NodeKind::kBetween:
      return SortOperator::kBetween;
    case NodeKind::kBeginsWith:
      return SortOperator::kBeginsWith;
    default:
      return SortOperator::kNone;
  }
}

// A comparison of one attribute with values. An empty attribute means that the node is something
// else.
struct ValueComparison {
  std::string_view attribute;
  NodeKind kind = NodeKind::kNotEqual;
  bool reversed = false;  // the value comes before the attribute
  std::vector<AttributeView> values;
};

// The attribute is empty if the node is not such a comparison.
ValueComparison comparison_of(const SyntaxTree& tree, const Node& node) {
  ValueComparison result;
  if (operator_of(node.kind, false) == SortOperator::kNone && node.kind != NodeKind::kIn) {
    return result;
  }
  std::size_t path = 0;
  if (tree.operand(node, 0).kind == NodeKind::kValue && node.count == 2 &&
      node.kind != NodeKind::kBeginsWith && node.kind != NodeKind::kIn) {
    path = 1;
  }
  const Node& attribute = tree.operand(node, path);
  if (attribute.kind != NodeKind::kPath || attribute.count != 1) return result;
  for (std::size_t i = 0; i < node.count; ++i) {
    if (i == path) continue;
    if (tree.operand(node, i).kind != NodeKind::kValue) return result;
    result.values.push_back(tree.operand(node, i).value());
  }
  result.attribute = tree.path(attribute).front().name;
  result.kind = node.kind;
  result.reversed = path == 1;
  return result;
}

class KeyPlanner {
 public:
  KeyPlanner(const SyntaxTree& tree, const KeySchema& key)
      : tree_(tree),
        partition_(key.partition.front().name),
        sort_(key.sort.empty() ? std::string_view() : std::string_view(key.sort.front().name)) {}

  ReadPlan plan() const {
    ReadPlan plan;
    const Node& root = tree_.node(tree_.root());
    plan.keyed = names_partition(root);
    if (!plan.keyed) return plan;
    std::vector<Way> ways;
    plan.too_many = !find_ways(root, ways) || ways.size() > kMaxKeyedReads;
    if (plan.too_many) return plan;
    for (const Way& way : ways) {
      if (way.contradicts) return {};
      plan.reads.push_back(read_of(way));
    }
    collect_common_filters(ways, plan.common_filter_attributes);
    return plan;
  }

 private:
  // One alternative of the clause.
  struct Way {
    AttributeView partition;
    bool contradicts = false;  // requires two different partition keys
    std::vector<SortCondition> sort;
    std::vector<const Node*> filters;
  };

  bool is_key_condition(const ValueComparison& comparison) const {
    if (comparison.attribute.empty()) return false;
    if (comparison.attribute == partition_) return names_partition(comparison);
    return comparison.attribute == sort_;
  }

  bool names_partition(const ValueComparison& comparison) const {
    return comparison.attribute == partition_ &&
           (comparison.kind == NodeKind::kEqual || comparison.kind == NodeKind::kIn);
  }

  bool names_partition(const Node& node) const {
    const auto names = [this, &node](std::size_t i) {
      return names_partition(tree_.operand(node, i));
    };
    if (node.kind == NodeKind::kAnd) {
      for (std::size_t i = 0; i < node.count; ++i) {
        if (names(i)) return true;
      }
      return false;
    }
    if (node.kind == NodeKind::kOr) {
      for (std::size_t i = 0; i < node.count; ++i) {
        if (!names(i)) return false;
      }
      return true;
    }
    return names_partition(comparison_of(tree_, node));
  }

  bool names_key(const Node& node) const {
    if (node.kind != NodeKind::kAnd && node.kind != NodeKind::kOr) {
      return is_key_condition(comparison_of(tree_, node));
    }
    for (std::size_t i = 0; i < node.count; ++i) {
      if (names_key(tree_.operand(node, i))) return true;
    }
    return false;
  }

  // False if there are too many alternatives.
  bool find_ways(const Node& node, std::vector<Way>& ways) const {
    if (node.kind == NodeKind::kAnd) return find_ways_of_all(node, ways);
    if (node.kind == NodeKind::kOr && names_key(node)) {
      for (std::size_t i = 0; i < node.count; ++i) {
        std::vector<Way> more;
        if (!find_ways(tree_.operand(node, i), more)) return false;
        std::move(more.begin(), more.end(), std::back_inserter(ways));
        if (ways.size() > kMaxKeyedReads) return false;
      }
      return true;
    }
    const ValueComparison comparison = comparison_of(tree_, node);
    if (!is_key_condition(comparison)) {
      ways.push_back({{}, false, {}, {&node}});
      return true;
    }
    if (comparison.kind == NodeKind::kIn) {
      for (const AttributeView value : comparison.values) {
        ways.push_back(way_of(comparison, SortOperator::kEqual, value, {}));
      }
      return true;
    }
    ways.push_back(way_of(comparison, operator_of(comparison.kind, comparison.reversed),
                          comparison.values.front(),
                          comparison.values.size() > 1 ? comparison.values[1] : AttributeView()));
    return true;
  }

  Way way_of(const ValueComparison& comparison, SortOperator op, AttributeView low,
             AttributeView high) const {
    Way way;
    if (comparison.attribute == partition_) {
      way.partition = low;
    } else {
      way.sort.push_back({op, low, high});
    }
    return way;
  }

  bool find_ways_of_all(const Node& node, std::vector<Way>& ways) const {
    ways.assign(1, Way());
    for (std::size_t i = 0; i < node.count; ++i) {
      std::vector<Way> more;
      if (!find_ways(tree_.operand(node, i), more)) return false;
      if (ways.size() * more.size() > kMaxKeyedReads) return false;
      std::vector<Way> joined;
      joined.reserve(ways.size() * more.size());
      for (const Way& first : ways) {
        for (const Way& second : more) joined.push_back(both(first, second));
      }
      ways = std::move(joined);
    }
    return true;
  }

  static Way both(Way first, const Way& second) {
    if (!first.partition) first.partition = second.partition;
    first.contradicts = first.contradicts || second.contradicts ||
                        (second.partition && first.partition != second.partition);
    first.sort.insert(first.sort.end(), second.sort.begin(), second.sort.end());
    first.filters.insert(first.filters.end(), second.filters.begin(), second.filters.end());
    return first;
  }

  KeyedRead read_of(const Way& way) const {
    KeyedRead read{way.partition, way.sort, !way.filters.empty(), false};
    for (const Node* filter : way.filters) {
      read.excludes_sort_keys = read.excludes_sort_keys || excludes_sort_keys(*filter);
    }
    return read;
  }

  void collect_common_filters(const std::vector<Way>& ways,
                              std::vector<std::string_view>& names) const {
    if (ways.empty()) return;
    for (const Node* filter : ways.front().filters) {
      const bool is_common = std::all_of(ways.begin() + 1, ways.end(), [filter](const Way& way) {
        return std::find(way.filters.begin(), way.filters.end(), filter) != way.filters.end();
      });
      if (is_common) collect_attributes(*filter, names);
    }
  }

  bool excludes_sort_keys(const Node& filter) const {
    if (sort_.empty()) return false;
    return (filter.kind == NodeKind::kNotEqual || filter.kind == NodeKind::kNot) &&
           mentions_sort(filter);
  }

  bool mentions_sort(const Node& node) const {
    if (node.kind == NodeKind::kPath) return is_attribute(tree_, node, sort_);
    if (node.kind == NodeKind::kValue) return false;
    for (std::size_t i = 0; i < node.count; ++i) {
      if (mentions_sort(tree_.operand(node, i))) return true;
    }
    return false;
  }

  void collect_attributes(const Node& node, std::vector<std::string_view>& names) const {
    if (node.kind == NodeKind::kValue) return;
    if (node.kind == NodeKind::kPath) {
      const std::string_view name = tree_.path(node).front().name;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      return;
    }
    for (std::size_t i = 0; i < node.count; ++i) {
      collect_attributes(tree_.operand(node, i), names);
    }
  }

  const SyntaxTree& tree_;
  std::string_view partition_;
  std::string_view sort_;  // empty: no sort attribute
};

void collect_conjuncts(const SyntaxTree& tree, const Node& node, std::vector<const Node*>& out) {
  if (node.kind != NodeKind::kAnd) {
    out.push_back(&node);
    return;
  }
  for (std::size_t i = 0; i < node.count; ++i) collect_conjuncts(tree, tree.operand(node, i), out);
}

}  // namespace

bool ReadPlan::names_only_one_item(const KeySchema& key) const {
  if (!keyed || reads.size() != 1 || reads.front().has_filter) return false;
  const std::vector<SortCondition>& sort = reads.front().sort;
  if (sort.empty()) return key.sort.empty();
  return std::all_of(sort.begin(), sort.end(), [&sort](const SortCondition& condition) {
    return condition.op == SortOperator::kEqual && condition.low == sort.front().low;
  });
}

ReadPlan plan_reads(const SyntaxTree* condition, const KeySchema& key) {
  if (condition == nullptr) return {};
  return KeyPlanner(*condition, key).plan();
}

void check_key_types(const ReadPlan& plan, const KeySchema& key) {
  for (const KeyedRead& read : plan.reads) {
    if (read.partition.type() != key.partition.front().type) throw_wrong_key_type();
    for (const SortCondition& sort : read.sort) {
      const AttributeType type = key.sort.front().type;
      if (sort.low.type() != type || (sort.high && sort.high.type() != type)) {
        throw_wrong_key_type();
      }
    }
  }
}

bool KeyEqualities::is_complete() const {
  return std::all_of(values.begin(), values.end(),
                     [](AttributeView value) { return static_cast<bool>(value); });
}

KeyEqualities find_key_equalities(const SyntaxTree* condition, const KeySchema& key) {
  std::vector<std::string_view> names;
  for (const auto element : key.attributes()) names.push_back(element.attribute.name);
  KeyEqualities result;
  result.values.resize(names.size());
  if (condition == nullptr) return result;
  std::vector<const Node*> conjuncts;
  collect_conjuncts(*condition, condition->node(condition->root()), conjuncts);
  for (const Node* conjunct : conjuncts) {
    const ValueComparison comparison = comparison_of(*condition, *conjunct);
    const auto name = std::find(names.begin(), names.end(), comparison.attribute);
    if (comparison.attribute.empty() || comparison.kind != NodeKind::kEqual ||
        name == names.end()) {
      result.has_other_conditions = true;
      continue;
    }
    AttributeView& value = result.values[static_cast<std::size_t>(name - names.begin())];
    if (!value) value = comparison.values.front();
    if (value == comparison.values.front()) continue;
    result.has_other_conditions = true;
    if (result.contradicted.empty()) result.contradicted = *name;
  }
  return result;
}

}  // namespace magneto::expressions
