#include "api/authorization/statement_permission.h"

#include <utility>

#include "api/authorization/named_attributes.h"
#include "api/authorization/resource_name.h"
#include "api/error.h"
#include "api/statements/statement_input.h"
#include "api/subjects/value_text.h"
#include "api/writes/write_response.h"
#include "expressions/expression_error.h"
#include "expressions/partiql/key_plan.h"

namespace magneto::api {
namespace {

using expressions::Returning;
using expressions::Statement;
using StatementKind = expressions::Statement::Kind;

std::string_view action_of(StatementKind kind) {
  switch (kind) {
    case StatementKind::kInsert:
      return "PartiQLInsert";
    case StatementKind::kUpdate:
      return "PartiQLUpdate";
    case StatementKind::kDelete:
      return "PartiQLDelete";
    case StatementKind::kSelect:
    case StatementKind::kExists:
      break;
  }
  return "PartiQLSelect";
}

std::string_view return_values_text(Returning returning) {
  switch (returning) {
    case Returning::kAllOld:
      return "ALL_OLD";
    case Returning::kAllNew:
      return "ALL_NEW";
    case Returning::kModifiedOld:
      return "UPDATED_OLD";
    case Returning::kModifiedNew:
      return "UPDATED_NEW";
    case Returning::kNone:
      break;
  }
  return "NONE";
}

void add_key(storage::AttributeView value, RequiredPermission& need) {
  if (auto text = value_text(value)) need.leading_keys->push_back(*std::move(text));
}

// For a read, sets the keys only if every part of the read has a partition key.
void read_leading_keys(const Statement& statement, RequiredPermission& need) {
  if (need.table == nullptr) return;
  const storage::Index* const index = need.table->find_index(statement.index());
  const storage::KeySchema& key = index != nullptr ? index->schema.key : need.table->schema.key;
  if (statement.is_read()) {
    const expressions::ReadPlan plan = expressions::plan_reads(statement.condition_tree(), key);
    need.full_table_scan = !plan.keyed;
    if (!plan.keyed) return;
    need.leading_keys.emplace();
    for (const expressions::KeyedRead& read : plan.reads) add_key(read.partition, need);
    if (plan.too_many) need.leading_keys->emplace_back();  // no allowed key; the call is refused
    return;
  }
  need.leading_keys.emplace();
  // Like a write, EXISTS checks one item, which its equalities name.
  if (statement.kind() == StatementKind::kExists) need.full_table_scan = false;
  if (statement.kind() == StatementKind::kInsert) {
    add_key(statement.item().view().find(key.partition.front().name), need);
    return;
  }
  const auto equalities = expressions::find_key_equalities(statement.condition_tree(), key);
  if (!equalities.first_values.empty()) add_key(equalities.first_values.front(), need);
}

void read_attributes(const Statement& statement, RequiredPermission& need) {
  NamedAttributes named;
  if (statement.kind() == StatementKind::kInsert) {
    for (const auto member : statement.item().view()) named.add(member.name);
  }
  if (statement.kind() == StatementKind::kUpdate) named.add_all(statement.update().attributes());
  if (statement.kind() == StatementKind::kSelect || statement.kind() == StatementKind::kExists) {
    const expressions::SelectedColumns* const columns = statement.columns();
    if (columns != nullptr) named.add_all(columns->attributes());
    need.select = columns != nullptr ? "SPECIFIC_ATTRIBUTES" : "ALL_ATTRIBUTES";
    for (const Statement::Ordering& ordering : statement.ordering()) named.add(ordering.attribute);
    if (need.table != nullptr) named.add_keys(*need.table, statement.index());
  } else {
    need.return_values = return_values_text(statement.returning());
  }
  if (statement.kind() != StatementKind::kInsert && statement.condition_tree() != nullptr) {
    named.add_all(statement.condition_tree()->attributes());
  }
  need.attributes = named.take();
}

// A failed EXISTS returns the whole item, even if it selects only some columns.
void read_checked_item(const Parameters& parameters, RequiredPermission& need) {
  if (!returns_item_on_failure(parameters)) return;
  need.select = "ALL_ATTRIBUTES";
  need.return_values = "ALL_OLD";
}

}  // namespace

void add_statement_permissions(const Request& request, json::Value member, bool in_full,
                               std::vector<RequiredPermission>& needs) {
  try {
    const Parameters parameters(member);
    StatementInput input{parameters};
    const Statement& parsed = input.parse();
    RequiredPermission& need =
        needs.emplace_back(RequiredPermission{.action = action_of(parsed.kind()), .resource = {}});
    ResourceNames(request).name(parsed.table(), parsed.index(), need);
    if (!in_full) return;
    const Statement& statement = input.bind(request);
    read_leading_keys(statement, need);
    read_attributes(statement, need);
    if (statement.kind() == Statement::Kind::kExists) {
      read_checked_item(parameters, need);
    } else if (!statement.is_read()) {
      add_failure(parameters, needs);
    }
  } catch (const ApiError&) {
    // The operation will report the error.
  } catch (const expressions::ExpressionError&) {
  }
}

}  // namespace magneto::api
