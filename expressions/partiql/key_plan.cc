#include "expressions/partiql/key_plan.h"

#include <algorithm>
#include <utility>

#include "expressions/expression_error.h"
#include "expressions/partiql/messages.h"
#include "expressions/partiql/sort_interval.h"

namespace magneto::expressions {

using storage::AttributeType;
using storage::AttributeView;
using storage::KeySchema;
using storage::SortOperator;

namespace {

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

// The most branches that are told apart. A clause of 300 operators without ORs under AND has fewer.
constexpr std::size_t kMaxBranches = 1'000;

template <typename Value>
bool same_members(const std::vector<Value>& a, const std::vector<Value>& b) {
  const auto is_within = [](const std::vector<Value>& inner, const std::vector<Value>& outer) {
    return std::all_of(inner.begin(), inner.end(), [&outer](const Value& value) {
      return std::find(outer.begin(), outer.end(), value) != outer.end();
    });
  };
  return is_within(a, b) && is_within(b, a);
}

template <typename Value>
void add_condition(std::vector<std::vector<Value>>& conditions, std::vector<Value> added) {
  for (const std::vector<Value>& known : conditions) {
    if (same_members(known, added)) return;
  }
  conditions.push_back(std::move(added));
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
    if (!find_branches(root, plan.branches)) {
      plan.branches.clear();
      plan.too_many = plan.keyed = names_partition(root);
      return plan;
    }
    plan.keyed = std::all_of(plan.branches.begin(), plan.branches.end(),
                             [](const KeyBranch& branch) { return branch.pins_partition(); });
    if (!plan.keyed) return plan;
    for (const KeyBranch& branch : plan.branches) {
      if (add_reads(branch, plan.reads)) continue;
      plan.too_many = true;
      plan.reads.clear();
      break;
    }
    return plan;
  }

 private:
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
    const ValueComparison comparison = comparison_of(tree_, node);
    return is_partition_condition(comparison);
  }

  bool is_partition_condition(const ValueComparison& comparison) const {
    return comparison.attribute == partition_ &&
           (comparison.kind == NodeKind::kEqual || comparison.kind == NodeKind::kIn);
  }

  // Whether a path in the condition begins with a key attribute.
  bool mentions_key(const Node& node) const {
    return mentions(node, partition_) || (!sort_.empty() && mentions(node, sort_));
  }

  bool mentions(const Node& node, std::string_view attribute) const {
    if (node.kind == NodeKind::kPath) return tree_.path(node).front().name == attribute;
    if (node.kind == NodeKind::kValue) return false;
    for (std::size_t i = 0; i < node.count; ++i) {
      if (mentions(tree_.operand(node, i), attribute)) return true;
    }
    return false;
  }

  // False if there are too many branches. An OR makes branches if it is outermost or names a key
  // attribute; another one is a filter.
  bool find_branches(const Node& node, std::vector<KeyBranch>& branches) const {
    if (node.kind == NodeKind::kAnd) return find_branches_of_all(node, branches);
    const bool is_outermost = &node == &tree_.node(tree_.root());
    if (node.kind == NodeKind::kOr && (is_outermost || mentions_key(node))) {
      for (std::size_t i = 0; i < node.count; ++i) {
        std::vector<KeyBranch> more;
        if (!find_branches(tree_.operand(node, i), more)) return false;
        std::move(more.begin(), more.end(), std::back_inserter(branches));
        if (branches.size() > kMaxBranches) return false;
      }
      return true;
    }
    branches.push_back(branch_of(node));
    return true;
  }

  KeyBranch branch_of(const Node& node) const {
    KeyBranch branch;
    ValueComparison comparison = comparison_of(tree_, node);
    if (is_partition_condition(comparison)) {
      branch.partitions.push_back(std::move(comparison.values));
    } else if (!sort_.empty() && comparison.attribute == sort_) {
      branch.sorts.push_back(alternatives_of(comparison));
    } else {
      branch.filters.push_back(&node);
      branch.excludes_sort_keys =
          (node.kind == NodeKind::kNotEqual || node.kind == NodeKind::kNot) && !sort_.empty() &&
          mentions(node, sort_);
    }
    return branch;
  }

  static SortAlternatives alternatives_of(const ValueComparison& comparison) {
    SortAlternatives alternatives;
    if (comparison.kind == NodeKind::kIn) {
      for (const AttributeView value : comparison.values) {
        alternatives.push_back({SortOperator::kEqual, value, {}});
      }
      return alternatives;
    }
    alternatives.push_back({operator_of(comparison.kind, comparison.reversed),
                            comparison.values.front(),
                            comparison.values.size() > 1 ? comparison.values[1] : AttributeView()});
    return alternatives;
  }

  bool find_branches_of_all(const Node& node, std::vector<KeyBranch>& branches) const {
    branches.clear();
    branches.emplace_back();
    for (std::size_t i = 0; i < node.count; ++i) {
      const Node& operand = tree_.operand(node, i);
      if (operand.kind != NodeKind::kAnd && operand.kind != NodeKind::kOr) {
        add_to_all(branch_of(operand), branches);
        continue;
      }
      std::vector<KeyBranch> more;
      if (!find_branches(operand, more)) return false;
      if (branches.size() * more.size() > kMaxBranches) return false;
      if (more.size() == 1) {
        add_to_all(std::move(more.front()), branches);
        continue;
      }
      std::vector<KeyBranch> joined;
      joined.reserve(branches.size() * more.size());
      for (const KeyBranch& first : branches) {
        for (const KeyBranch& second : more) add(second, joined.emplace_back(first));
      }
      branches = std::move(joined);
    }
    return true;
  }

  static void add_to_all(KeyBranch added, std::vector<KeyBranch>& branches) {
    for (std::size_t i = 1; i < branches.size(); ++i) add(added, branches[i]);
    add(std::move(added), branches.front());
  }

  static void add(KeyBranch added, KeyBranch& branch) {
    for (PartitionValues& values : added.partitions) {
      add_condition(branch.partitions, std::move(values));
    }
    for (SortAlternatives& sort : added.sorts) add_condition(branch.sorts, std::move(sort));
    branch.filters.insert(branch.filters.end(), added.filters.begin(), added.filters.end());
    branch.excludes_sort_keys = branch.excludes_sort_keys || added.excludes_sort_keys;
  }

  // False if there are too many reads.
  static bool add_reads(const KeyBranch& branch, std::vector<KeyedRead>& reads) {
    std::vector<std::vector<SortCondition>> sorts(1);
    for (const SortAlternatives& alternatives : branch.sorts) {
      if (alternatives.size() == 1) {
        for (std::vector<SortCondition>& sort : sorts) sort.push_back(alternatives.front());
        continue;
      }
      std::vector<std::vector<SortCondition>> joined;
      for (const std::vector<SortCondition>& first : sorts) {
        for (const SortCondition& second : alternatives) {
          joined.push_back(first);
          joined.back().push_back(second);
        }
        if (joined.size() > kMaxKeyedReads) return false;
      }
      sorts = std::move(joined);
    }
    const PartitionValues& partitions = branch.partitions.front();
    if (reads.size() + partitions.size() * sorts.size() > kMaxKeyedReads) return false;
    for (const AttributeView partition : partitions) {
      for (const std::vector<SortCondition>& sort : sorts) {
        reads.push_back({partition, sort, !branch.filters.empty()});
      }
    }
    return true;
  }

  const SyntaxTree& tree_;
  std::string_view partition_;
  std::string_view sort_;  // empty: no sort attribute
};

void collect_attributes(const SyntaxTree& tree, const Node& node,
                        std::vector<std::string_view>& names) {
  if (node.kind == NodeKind::kValue) return;
  if (node.kind == NodeKind::kPath) {
    const std::string_view name = tree.path(node).front().name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    return;
  }
  for (std::size_t i = 0; i < node.count; ++i) {
    collect_attributes(tree, tree.operand(node, i), names);
  }
}

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
  if (key.sort.empty()) return true;
  return sort.size() == 1 && sort.front().op == SortOperator::kEqual;
}

bool ReadPlan::overlaps() const {
  if (reads.size() < 2) return false;
  for (const KeyBranch& branch : branches) {
    if (branch.sorts.size() > 1 || branch.excludes_sort_keys) return false;
  }
  std::vector<SortInterval> intervals;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    intervals.push_back(reads[i].sort.empty() ? SortInterval()
                                              : SortInterval::of(reads[i].sort.front()));
    for (std::size_t j = 0; j < i; ++j) {
      if (reads[j].partition == reads[i].partition && intervals[j].meets(intervals[i])) return true;
    }
  }
  return false;
}

ReadPlan plan_reads(const SyntaxTree* condition, const KeySchema& key) {
  if (condition == nullptr) return {};
  return KeyPlanner(*condition, key).plan();
}

void check_is_key_type(AttributeView value, std::string_view attribute) {
  const AttributeType type = value.type();
  if (type == AttributeType::kString || type == AttributeType::kNumber ||
      type == AttributeType::kBinary) {
    return;
  }
  throw ExpressionError(messages::no_key_type(attribute, storage::type_name(type)),
                        ExpressionError::Scope::kRequest);
}

void check_key_type(AttributeView value, const storage::KeyAttribute& attribute) {
  check_is_key_type(value, attribute.name);
  if (value.type() == attribute.type) return;
  throw ExpressionError(messages::other_key_type(attribute.name), ExpressionError::Scope::kRequest);
}

void check_key_types(const ReadPlan& plan, const KeySchema& key) {
  for (const KeyBranch& branch : plan.branches) {
    if (!branch.pins_partition() || branch.sorts.size() > 1) return;
    for (const AttributeView value : branch.partitions.front()) {
      check_key_type(value, key.partition.front());
    }
    if (branch.sorts.empty()) continue;
    for (const SortCondition& sort : branch.sorts.front()) {
      check_key_type(sort.low, key.sort.front());
      if (sort.high) check_key_type(sort.high, key.sort.front());
    }
  }
}

std::vector<std::string_view> filter_attributes(const SyntaxTree& condition,
                                                const KeyBranch& branch) {
  std::vector<std::string_view> names;
  for (const Node* filter : branch.filters) collect_attributes(condition, *filter, names);
  return names;
}

KeyEqualities find_key_equalities(const SyntaxTree* condition, const KeySchema& key) {
  std::vector<std::string_view> names;
  for (const auto element : key.attributes()) names.push_back(element.attribute.name);
  KeyEqualities result;
  result.values.resize(names.size());
  result.first_values.resize(names.size());
  if (condition == nullptr) return result;
  std::vector<const Node*> conjuncts;
  collect_conjuncts(*condition, condition->node(condition->root()), conjuncts);
  for (const Node* conjunct : conjuncts) {
    const ValueComparison comparison = comparison_of(*condition, *conjunct);
    const auto name = std::find(names.begin(), names.end(), comparison.attribute);
    const bool is_equality =
        comparison.kind == NodeKind::kEqual || comparison.kind == NodeKind::kIn;
    if (comparison.values.empty() || !is_equality || name == names.end()) {
      result.has_other_conditions = true;
      continue;
    }
    const auto number = static_cast<std::size_t>(name - names.begin());
    const AttributeView first = comparison.values.front();
    const bool is_single = same_members(comparison.values, {first});
    AttributeView& value = result.values[number];
    if (!value && is_single) value = first;
    if (!result.first_values[number]) result.first_values[number] = first;
    if (is_single && value == first) continue;
    result.has_other_conditions = true;
    if (is_single && result.contradicted.empty()) result.contradicted = *name;
    if (result.several.empty()) result.several = *name;
  }
  return result;
}

}  // namespace magneto::expressions
