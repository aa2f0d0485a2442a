#include "api/request/statement_write.h"

#include <utility>

#include "api/error.h"
#include "api/request/conditional_write.h"
#include "api/validation/key_checks.h"
#include "expressions/partiql/key_plan.h"
#include "expressions/projection.h"
#include "storage/encoding/key_encoding.h"
#include "storage/model/value_writer.h"

namespace magneto::api {

using expressions::KeyEqualities;
using expressions::Returning;
using expressions::Statement;
using storage::Item;
using storage::StoredItem;
using storage::TableSchema;
using storage::WriteDecision;
using storage::WriteOutcome;

namespace {

Item key_item(const TableSchema& schema, const KeyEqualities& equalities) {
  std::string bytes;
  storage::ValueWriter writer(bytes);
  writer.begin_item();
  std::size_t i = 0;
  for (const auto* part : {&schema.key.partition, &schema.key.sort}) {
    for (const storage::KeyAttribute& attribute : *part) {
      writer.name(attribute.name);
      writer.value(equalities.values[i++]);
    }
  }
  writer.end_item();
  return Item(std::move(bytes));
}

Item whole(const StoredItem& item) { return Item(item.view()); }

}  // namespace

Item named_key(const TableSchema& schema, const Statement& statement) {
  const KeyEqualities equalities =
      expressions::find_key_equalities(statement.condition_tree(), schema.key);
  if (!equalities.contradicted.empty()) {
    fail_validation("Where clause asks for two values of the key attribute " +
                    std::string(equalities.contradicted));
  }
  if (!equalities.is_complete()) {
    fail_validation("Where clause does not contain a mandatory equality on all key attributes");
  }
  return key_item(schema, equalities);
}

StatementWrite::StatementWrite(storage::TablePtr table, const Statement& statement)
    : table_(std::move(table)), statement_(statement) {
  const TableSchema& schema = table_->schema;
  if (statement_.kind() == Statement::Kind::kInsert) {
    check_item_keys(schema, statement_.item(), ItemKeyWording::kNamesAttribute);
    check_put_size(statement_.item());
    position_ = storage::item_key(schema, statement_.item());
    return;
  }
  key_ = named_key(schema, statement_);
  position_ = checked_item_key(schema, key_);
  if (statement_.kind() == Statement::Kind::kUpdate) {
    check_update_targets(schema, statement_.update());
  }
}

const Item& StatementWrite::key() const {
  return statement_.kind() == Statement::Kind::kInsert ? statement_.item() : key_;
}

WriteDecision StatementWrite::operator()(const StoredItem& current) const {
  switch (statement_.kind()) {
    case Statement::Kind::kInsert:
      if (!current) return PutDecision{statement_.item()}(current);
      throw ApiError(ErrorType::kDuplicateItem, "Duplicate primary key exists in table");
    case Statement::Kind::kDelete:
      return current ? DeleteDecision{statement_.condition()}(current) : WriteDecision::keep();
    default:
      // The clause names the key, so it does not hold of an item that is not there.
      return UpdateDecision{table_->schema, key_, &statement_.update(),
                            statement_.condition()}(current);
  }
}

std::optional<Item> StatementWrite::returned_item(const WriteOutcome& outcome) const {
  switch (statement_.returning()) {
    case Returning::kNone:
      return std::nullopt;
    case Returning::kAllOld:
      if (!outcome.old_item) return std::nullopt;
      return whole(outcome.old_item);
    case Returning::kAllNew:
      return outcome.new_item;
    case Returning::kModifiedOld:
    case Returning::kModifiedNew:
      break;
  }
  const bool is_old = statement_.returning() == Returning::kModifiedOld;
  Item part = expressions::Projection::of(statement_.update().targets())
                  .apply(is_old ? outcome.old_item.view() : outcome.new_item.view());
  if (part.view().empty()) return std::nullopt;
  return part;
}

}  // namespace magneto::api
