#include "api/subjects/statement_subject.h"

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

Subject read_subject(const Request& request, StatementInput& input) {
  input.parse();
  const expressions::Statement& statement = input.bind(request);
  const bool reads = statement.is_read() || statement.kind() == StatementKind::kExists;
  storage::TablePtr table = table_named(request, statement.table());
  Subject subject(statement.table(), statement.index(), !reads, table);
  if (table == nullptr) return subject;
  const storage::Index* const index = table->find_index(statement.index());
  const storage::KeySchema& key = index != nullptr ? index->schema.key : table->schema.key;
  if (statement.kind() == StatementKind::kInsert) {
    add_item_key(statement, key, subject);
  } else {
    add_named_key(statement, key, subject);
    if (reads && !expressions::plan_reads(statement.condition_tree(), key).keyed) {
      subject.mark_scan();
    }
  }
  return subject;
}

}  // namespace

Subject statement_subject(const Request& request, json::Value member) {
  try {
    StatementInput input{Parameters(member)};
    return read_subject(request, input);
  } catch (const ApiError&) {
    // The operation will report the error.
  } catch (const expressions::ExpressionError&) {
  }
  return {{}, {}, false, nullptr};
}

}  // namespace magneto::api
