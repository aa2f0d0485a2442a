// A PartiQL statement with the sample values for its '?': parsed, bound, planned and evaluated.
#include "expressions/partiql/statement.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "expressions/partiql/key_plan.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/sample_values.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

using expressions::ReadPlan;
using expressions::SortCondition;
using expressions::Statement;
using storage::AttributeType;
using storage::AttributeView;
using storage::ItemView;
using storage::KeySchema;
using storage::SortOperator;

const std::vector<KeySchema>& statement_schemas() {
  static const std::vector<KeySchema> all = {
      {{{"pk", AttributeType::kString}}, {}},
      {{{"pk", AttributeType::kString}}, {{"sk", AttributeType::kNumber}}},
      {{{"s", AttributeType::kString}}, {{"b", AttributeType::kBinary}}},
  };
  return all;
}

bool satisfies(const SortCondition& sort, AttributeView value) {
  if (value.type() != sort.low.type()) return false;
  const std::string_view bytes = value.scalar_bytes();
  const std::string_view low = sort.low.scalar_bytes();
  switch (sort.op) {
    case SortOperator::kNone:
      return true;
    case SortOperator::kEqual:
      return bytes == low;
    case SortOperator::kLess:
      return bytes < low;
    case SortOperator::kLessOrEqual:
      return bytes <= low;
    case SortOperator::kGreater:
      return bytes > low;
    case SortOperator::kGreaterOrEqual:
      return bytes >= low;
    case SortOperator::kBetween:
      return low <= bytes && bytes <= sort.high.scalar_bytes();
    case SortOperator::kBeginsWith:
      return bytes.starts_with(low);
  }
  return false;
}

bool has_key(const KeySchema& key, ItemView item) {
  const auto is_there = [&](const storage::KeyAttribute& attribute) {
    const AttributeView value = item.find(attribute.name);
    return value && value.type() == attribute.type;
  };
  return std::ranges::all_of(key.partition, is_there) && std::ranges::all_of(key.sort, is_there);
}

bool is_read(const ReadPlan& plan, const KeySchema& key, ItemView item) {
  return std::ranges::any_of(plan.reads, [&](const expressions::KeyedRead& read) {
    if (item.find(key.partition.front().name) != read.partition) return false;
    return std::ranges::all_of(read.sort, [&](const SortCondition& sort) {
      return satisfies(sort, item.find(key.sort.front().name));
    });
  });
}

// Each item that matches the WHERE clause is under one of the planned keys.
void check_plan(const Statement& statement, const KeySchema& key) {
  const ReadPlan plan = plan_reads(statement.condition_tree(), key);
  plan.names_only_one_item(key);
  const auto equalities = find_key_equalities(statement.condition_tree(), key);
  try {
    check_key_types(plan, key);
  } catch (const expressions::ExpressionError&) {
    return;
  }
  for (const storage::Item& item : sample_items()) {
    const ItemView view = item;
    if (!has_key(key, view)) continue;
    if (statement.condition() != nullptr && !statement.condition()->matches(view)) continue;
    require(!plan.keyed || plan.too_many || is_read(plan, key, view),
            "what meets the clause is read");
    require(equalities.contradicted.empty(), "what meets the clause has one value for a key");
    std::size_t number = 0;
    for (const auto* part : {&key.partition, &key.sort}) {
      for (const storage::KeyAttribute& attribute : *part) {
        const AttributeView wanted = equalities.values[number++];
        require(!wanted || wanted == view.find(attribute.name),
                "what meets the clause has its key values", attribute.name);
      }
    }
  }
}

void check_update(const expressions::Update& update) {
  for (const storage::Item& item : sample_items()) {
    try {
      require_valid_item(update.apply(item), "the outcome of an UPDATE");
    } catch (const expressions::ExpressionError&) {
      continue;
    }
  }
}

void check_statement(const Statement& statement) {
  if (statement.kind() == Statement::Kind::kInsert) {
    require_valid_item(statement.item(), "what an INSERT puts");
    return;
  }
  if (statement.kind() == Statement::Kind::kUpdate) check_update(statement.update());
  for (const KeySchema& key : statement_schemas()) check_plan(statement, key);
  if (statement.columns() == nullptr) return;
  statement.columns()->attributes();
  for (const storage::Item& item : sample_items()) {
    require_valid_item(statement.columns()->apply(item), "the columns of a SELECT");
  }
}

}  // namespace

void fuzz_statement(std::string_view input) {
  const auto values = sample_values();
  std::vector<AttributeView> parameters;
  for (const char c : input) {
    if (c == '?') parameters.push_back(values[(input.size() + parameters.size()) % values.size()]);
  }
  try {
    Statement statement = Statement::parse(input);
    statement.bind(parameters);
    check_statement(statement);
  } catch (const expressions::ExpressionError&) {
    return;
  }
}

}  // namespace magneto::fuzz
