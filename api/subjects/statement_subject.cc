#include "api/subjects/statement_subject.h"

#include <algorithm>

#include "api/error.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/statements/statement_input.h"
#include "api/subjects/value_text.h"
#include "expressions/expression_error.h"
#include "expressions/partiql/key_plan.h"

namespace magneto::api {
namespace {

using StatementKind = expressions::Statement::Kind;

void add_item_key(const expressions::Statement& statement, const storage::KeySchema& key,
                  Subject& subject) {
  for (const auto element : key.attributes()) {
    const std::string& name = element.attribute.name;
    if (auto text = value_text(statement.item().view().find(name))) {
      subject.add_key(name, *std::move(text));
    }
  }
}

void add_named_key(const expressions::Statement& statement, const storage::KeySchema& key,
                   Subject& subject) {
  const expressions::KeyEqualities equalities =
      expressions::find_key_equalities(statement.condition_tree(), key);
  std::size_t i = 0;
  for (const auto element : key.attributes()) {
    if (i == equalities.values.size()) break;
    if (auto text = value_text(equalities.values[i++])) {
      subject.add_key(element.attribute.name, *std::move(text));
    }
  }
}

std::string_view verb_of(StatementKind kind) {
  switch (kind) {
    case StatementKind::kSelect:
      return "SELECT";
    case StatementKind::kInsert:
      return "INSERT";
    case StatementKind::kUpdate:
      return "UPDATE";
    case StatementKind::kDelete:
      return "DELETE";
    case StatementKind::kExists:
      return "EXISTS";
  }
  return {};
}

// Adds the conditions of a read on the key that are no equalities, those of the first branch.
void add_conditions(const expressions::ReadPlan& plan, const storage::KeySchema& key,
                    Subject& subject) {
  const std::string& partition = key.partition.front().name;
  if (!subject.key_text(partition)) subject.add_alternatives(partition);
  if (plan.reads.empty() || key.sort.empty() || subject.key_text(key.sort.front().name)) return;
  const std::string& sort = key.sort.front().name;
  for (const expressions::SortCondition& condition : plan.reads.front().sort) {
    if (condition.op == storage::SortOperator::kEqual) {
      subject.add_alternatives(sort);
    } else {
      subject.add_condition(sort, condition.op);
    }
  }
}

void add_reading(const expressions::Statement& statement, const storage::KeySchema& key,
                 bool consistent, Subject& subject) {
  const expressions::ReadPlan plan = expressions::plan_reads(statement.condition_tree(), key);
  Reading reading{.consistent = consistent};
  if (plan.keyed) {
    add_conditions(plan, key, subject);
    reading.filters = std::ranges::any_of(plan.reads, &expressions::KeyedRead::has_filter);
  } else {
    subject.mark_scan();
    reading.filters = statement.condition_tree() != nullptr;
  }
  subject.set_reading(reading);
}

Subject read_subject(const Request& request, json::Value member, StatementInput& input) {
  input.parse();
  const expressions::Statement& statement = input.bind(request);
  const bool reads = statement.is_read() || statement.kind() == StatementKind::kExists;
  storage::TablePtr table = table_named(request, statement.table());
  Subject subject(statement.table(), statement.index(), !reads, table);
  subject.set_verb(verb_of(statement.kind()));
  if (table == nullptr) return subject;
  const storage::Index* const index = table->find_index(statement.index());
  const storage::KeySchema& key = index != nullptr ? index->schema.key : table->schema.key;
  if (statement.kind() == StatementKind::kInsert) {
    add_item_key(statement, key, subject);
  } else {
    add_named_key(statement, key, subject);
    if (reads) {
      add_reading(statement, key, Parameters(member).boolean("ConsistentRead"), subject);
    }
  }
  return subject;
}

}  // namespace

Subject statement_subject(const Request& request, json::Value member) {
  try {
    StatementInput input{Parameters(member)};
    return read_subject(request, member, input);
  } catch (const ApiError&) {
    // The operation will report the error.
  } catch (const expressions::ExpressionError&) {
  }
  return {{}, {}, false, nullptr};
}

}  // namespace magneto::api
