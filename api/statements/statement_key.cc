#include "api/statements/statement_key.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/error.h"
#include "api/messages/statement_messages.h"
#include "api/messages/transaction_messages.h"
#include "expressions/partiql/key_plan.h"
#include "storage/model/value_writer.h"

namespace magneto::api {

using expressions::KeyedRead;
using expressions::KeyEqualities;
using expressions::ReadPlan;
using expressions::Statement;
using storage::AttributeView;
using storage::Item;
using storage::TableSchema;

namespace {

// `values`: in schema order.
Item key_item(const TableSchema& schema, std::span<const AttributeView> values) {
  std::string bytes;
  storage::ValueWriter writer(bytes);
  writer.begin_item();
  std::size_t i = 0;
  for (const auto element : schema.key.attributes()) {
    writer.name(element.attribute.name);
    writer.value(values[i++]);
  }
  writer.end_item();
  return Item(std::move(bytes));
}

bool is_complete(std::span<const AttributeView> values) {
  return std::ranges::all_of(values, [](AttributeView value) { return static_cast<bool>(value); });
}

}  // namespace

Item named_key(const TableSchema& schema, const Statement& statement) {
  const KeyEqualities equalities =
      expressions::find_key_equalities(statement.condition_tree(), schema.key);
  if (!equalities.several.empty()) {
    fail_validation(messages::several_key_values(equalities.several));
  }
  if (!is_complete(equalities.values)) fail_validation(messages::kIncompleteKey);
  return key_item(schema, equalities.values);
}

std::optional<Item> find_named_key(const TableSchema& schema, const Statement& statement) {
  const KeyEqualities equalities =
      expressions::find_key_equalities(statement.condition_tree(), schema.key);
  if (!equalities.several.empty() || !is_complete(equalities.values)) return std::nullopt;
  return key_item(schema, equalities.values);
}

bool has_condition_beside_key(const TableSchema& schema, const Statement& statement) {
  return expressions::find_key_equalities(statement.condition_tree(), schema.key)
      .has_other_conditions;
}

Item checked_key(const TableSchema& schema, const Statement& statement) {
  const KeyEqualities equalities =
      expressions::find_key_equalities(statement.condition_tree(), schema.key);
  if (!is_complete(equalities.first_values) || !equalities.has_other_conditions) {
    fail_validation(messages::kExistsWithoutCondition);
  }
  return key_item(schema, equalities.first_values);
}

ReadPlan plan_table_read(const TableSchema& schema, const Statement& statement) {
  ReadPlan plan = expressions::plan_reads(statement.condition_tree(), schema.key);
  if (plan.too_many) fail_validation(messages::kTooManyKeyedReads);
  if (plan.overlaps()) fail_validation(messages::kOverlappingSortKeys);
  return plan;
}

std::optional<Item> find_only_key(const TableSchema& schema, const Statement& statement,
                                  const ReadPlan& plan) {
  if (!statement.index().empty() || !plan.names_only_one_item(schema.key)) return std::nullopt;
  const KeyedRead& read = plan.reads.front();
  std::vector<AttributeView> values = {read.partition};
  if (!schema.key.sort.empty()) values.push_back(read.sort.front().low);
  return key_item(schema, values);
}

}  // namespace magneto::api
