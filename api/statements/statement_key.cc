#include "api/statements/statement_key.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/error.h"
#include "api/messages/statement_messages.h"
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

}  // namespace

Item named_key(const TableSchema& schema, const Statement& statement) {
  const KeyEqualities equalities =
      expressions::find_key_equalities(statement.condition_tree(), schema.key);
  if (!equalities.contradicted.empty()) {
    fail_validation(messages::contradicted_key(equalities.contradicted));
  }
  if (!equalities.is_complete()) {
    fail_validation(messages::kIncompleteKey);
  }
  return key_item(schema, equalities.values);
}

std::optional<Item> find_only_key(const TableSchema& schema, const Statement& statement) {
  if (!statement.index().empty()) return std::nullopt;
  const ReadPlan plan = expressions::plan_reads(statement.condition_tree(), schema.key);
  if (!plan.names_only_one_item(schema.key)) return std::nullopt;
  const KeyedRead& read = plan.reads.front();
  std::vector<AttributeView> values = {read.partition};
  if (!schema.key.sort.empty()) values.push_back(read.sort.front().low);
  return key_item(schema, values);
}

}  // namespace magneto::api
