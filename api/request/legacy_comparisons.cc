#include "api/request/legacy_comparisons.h"

#include <algorithm>
#include <span>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/messages/parameter_messages.h"
#include "api/messages/value_messages.h"
#include "api/request/parameters.h"

namespace magneto::api {

using expressions::LegacyComparison;
using expressions::LegacyOperator;
using storage::AttributeType;
using storage::AttributeView;

namespace {

constexpr std::size_t kAny = ~std::size_t{0};

// The values that an operator takes (AWS API reference, Condition).
struct OperatorRule {
  std::string_view word;
  LegacyOperator comparison;
  std::size_t least;
  std::size_t most;
  bool (*takes)(AttributeType type);
};

bool takes_all(AttributeType) { return true; }
bool takes_key_types(AttributeType type) { return type <= AttributeType::kBinary; }
bool takes_scalars(AttributeType type) { return type <= AttributeType::kNull; }
bool takes_prefixes(AttributeType type) {
  return type == AttributeType::kString || type == AttributeType::kBinary;
}

constexpr OperatorRule kRules[] = {
    {"EQ", LegacyOperator::kEqual, 1, 1, takes_all},
    {"NE", LegacyOperator::kNotEqual, 1, 1, takes_all},
    {"LT", LegacyOperator::kLess, 1, 1, takes_key_types},
    {"LE", LegacyOperator::kLessOrEqual, 1, 1, takes_key_types},
    {"GT", LegacyOperator::kGreater, 1, 1, takes_key_types},
    {"GE", LegacyOperator::kGreaterOrEqual, 1, 1, takes_key_types},
    {"NOT_NULL", LegacyOperator::kExists, 0, 0, takes_all},
    {"NULL", LegacyOperator::kNotExists, 0, 0, takes_all},
    {"CONTAINS", LegacyOperator::kContains, 1, 1, takes_scalars},
    {"NOT_CONTAINS", LegacyOperator::kNotContains, 1, 1, takes_scalars},
    {"BEGINS_WITH", LegacyOperator::kBeginsWith, 1, 1, takes_prefixes},
    {"IN", LegacyOperator::kIn, 1, kAny, takes_key_types},
    {"BETWEEN", LegacyOperator::kBetween, 2, 2, takes_key_types},
};

const OperatorRule& rule_of(std::string_view word, const json::ErrorDialect& dialect) {
  const auto* const rule =
      std::find_if(std::begin(kRules), std::end(kRules),
                   [word](const OperatorRule& one) { return one.word == word; });
  if (rule == std::end(kRules)) fail_in_dialect(dialect, messages::kUnknownComparison);
  return *rule;
}

void check_type(const OperatorRule& rule, AttributeView operand,
                const json::ErrorDialect& dialect) {
  if (rule.takes(operand.type())) return;
  fail_in_dialect(dialect, messages::operand_type(rule.word, operand.type()));
}

// `checks_type`: unless the type of the only value is checked later.
void check_operands(const OperatorRule& rule, std::span<const AttributeView> operands,
                    const json::ErrorDialect& dialect, bool checks_type = true) {
  if (operands.size() < rule.least || operands.size() > rule.most) {
    fail_in_dialect(dialect, messages::operand_count(rule.word));
  }
  if (rule.comparison == LegacyOperator::kIn) {
    for (const AttributeView operand : operands) check_type(rule, operand, dialect);
  }
  for (const AttributeView operand : operands) {
    if (operand.type() != operands.front().type()) {
      fail_in_dialect(dialect, messages::kOperandTypesDiffer);
    }
  }
  if (!operands.empty() && checks_type) check_type(rule, operands.front(), dialect);
  // Bytes of one scalar type have the same order as their values (storage/model/attribute_value.h).
  if (rule.comparison == LegacyOperator::kBetween &&
      operands[0].scalar_bytes() > operands[1].scalar_bytes()) {
    fail_in_dialect(dialect, messages::kEmptyRange);
  }
}

bool is_false_null(json::Value value) {
  const json::Value null = Parameters(value).value("NULL");
  return null && !null.boolean() && value.object().size() == 1;
}

// AWS refuses such a value in any condition before it looks at their operators (captured facts 3,
// U9).
void refuse_false_nulls(std::span<const json::Member> entries, const json::ErrorDialect& dialect) {
  for (const json::Member& entry : entries) {
    const Parameters parameters(entry.value);
    bool found = is_false_null(parameters.value("Value"));
    for (const json::Value element : parameters.value("AttributeValueList").array()) {
      found = found || is_false_null(element);
    }
    if (found) fail_in_dialect(dialect, messages::kFalseNull);
  }
}

AttributeView keep(json::Value value, const json::ErrorDialect& dialect, LegacyValues& values) {
  return values.emplace_back(json::read_value(value, dialect)).view();
}

void read_list(json::Value list, const json::ErrorDialect& dialect, LegacyValues& values,
               std::vector<AttributeView>& operands) {
  for (const json::Value element : list.array()) {
    if (!element.is_null()) operands.push_back(keep(element, dialect, values));
  }
}

// Reads an entry of Expected without ComparisonOperator.
LegacyComparison read_existence(const json::Member& entry, const json::ErrorDialect& dialect,
                                LegacyValues& values) {
  const Parameters parameters(entry.value);
  if (parameters.has("AttributeValueList")) {
    fail_in_dialect(dialect, messages::list_without_operator(entry.name));
  }
  const json::Value value = parameters.value("Value");
  if (!parameters.boolean("Exists", true)) {
    if (value) fail_in_dialect(dialect, messages::value_of_missing(entry.name));
    return {entry.name, LegacyOperator::kNotExists, {}};
  }
  if (!value) {
    const std::string_view exists = parameters.has("Exists") ? "true" : "null";
    fail_in_dialect(dialect, messages::value_missing(exists, entry.name));
  }
  return {entry.name, LegacyOperator::kEqual, {keep(value, dialect, values)}};
}

LegacyComparison read_expectation(const json::Member& entry, const json::ErrorDialect& dialect,
                                  LegacyValues& values) {
  const Parameters parameters(entry.value);
  const json::Value list = parameters.value("AttributeValueList");
  const json::Value value = parameters.value("Value");
  if (list && value) {
    fail_in_dialect(dialect, messages::value_beside_list(entry.name));
  }
  if (!parameters.has("ComparisonOperator")) return read_existence(entry, dialect, values);
  if (parameters.has("Exists")) {
    fail_in_dialect(dialect, messages::exists_beside_operator(entry.name));
  }
  const OperatorRule& rule = rule_of(parameters.string_or_empty("ComparisonOperator"), dialect);
  if (!list && !value && rule.most > 0) {
    fail_in_dialect(dialect, messages::operands_missing(rule.word, entry.name));
  }
  LegacyComparison comparison{entry.name, rule.comparison, {}};
  if (list) read_list(list, dialect, values, comparison.operands);
  if (value) comparison.operands.push_back(keep(value, dialect, values));
  check_operands(rule, comparison.operands, dialect);
  return comparison;
}

}  // namespace

void fail_in_dialect(const json::ErrorDialect& dialect, std::string_view message) {
  if (dialect.counts_errors) fail_one_validation_error(message);
  fail_validation(message);
}

void check_attribute_name(const json::ErrorDialect& dialect, std::string_view name) {
  const std::string_view problem = json::attribute_name_problem(name);
  if (!problem.empty()) fail_in_dialect(dialect, problem);
}

std::vector<json::Member> distinct_members(json::Object map) {
  std::vector<json::Member> members;
  absl::flat_hash_map<std::string_view, std::size_t> known_names;
  for (const json::Member member : map) {
    if (member.value.is_null()) continue;
    const auto [known, is_new] = known_names.try_emplace(member.name, members.size());
    if (is_new) {
      members.push_back(member);
    } else {
      members[known->second].value = member.value;
    }
  }
  return members;
}

std::vector<LegacyComparison> read_conditions(json::Object map, LegacyUse use,
                                              const json::ErrorDialect& dialect,
                                              LegacyValues& values) {
  std::vector<LegacyComparison> comparisons;
  const std::vector<json::Member> entries = distinct_members(map);
  refuse_false_nulls(entries, dialect);
  for (const json::Member& entry : entries) {
    // A filter takes the empty name (captured facts 3, R9).
    if (use == LegacyUse::kKeys || !entry.name.empty()) check_attribute_name(dialect, entry.name);
    const Parameters parameters(entry.value);
    const OperatorRule& rule = rule_of(parameters.string_or_empty("ComparisonOperator"), dialect);
    LegacyComparison comparison{entry.name, rule.comparison, {}};
    if (const json::Value list = parameters.value("AttributeValueList")) {
      read_list(list, dialect, values, comparison.operands);
    }
    const bool checks_type = use == LegacyUse::kFilters ||
                             rule.comparison == LegacyOperator::kBetween ||
                             rule.comparison == LegacyOperator::kIn;
    check_operands(rule, comparison.operands, dialect, checks_type);
    comparisons.push_back(std::move(comparison));
  }
  return comparisons;
}

void check_operand_type(const LegacyComparison& comparison, const json::ErrorDialect& dialect) {
  const auto* const rule = std::find_if(
      std::begin(kRules), std::end(kRules),
      [&comparison](const OperatorRule& one) { return one.comparison == comparison.comparison; });
  if (!comparison.operands.empty()) check_type(*rule, comparison.operands.front(), dialect);
}

std::vector<LegacyComparison> read_expected(json::Object map, const json::ErrorDialect& dialect,
                                            LegacyValues& values) {
  std::vector<LegacyComparison> comparisons;
  const std::vector<json::Member> entries = distinct_members(map);
  refuse_false_nulls(entries, dialect);
  for (const json::Member& entry : entries) {
    check_attribute_name(dialect, entry.name);
    comparisons.push_back(read_expectation(entry, dialect, values));
  }
  return comparisons;
}

}  // namespace magneto::api
