#include "api/statements/statement_write.h"

#include <utility>

#include "api/error.h"
#include "api/messages/statement_messages.h"
#include "api/statements/statement_key.h"
#include "api/validation/key_checks.h"
#include "api/writes/conditional_write.h"
#include "expressions/projection.h"
#include "storage/encoding/key_encoding.h"

namespace magneto::api {

using expressions::Returning;
using expressions::Statement;
using storage::Item;
using storage::StoredItem;
using storage::TableSchema;
using storage::WriteDecision;
using storage::WriteOutcome;

namespace {

Item whole(const StoredItem& item) { return Item(item.view()); }

}  // namespace

StatementWrite::StatementWrite(storage::TablePtr table, const Statement& statement,
                               storage::Effort& effort)
    : table_(std::move(table)), statement_(statement), effort_(effort) {
  problem_ = statement_.kind() == Statement::Kind::kInsert ? read_inserted_key() : read_key();
  if (problem_) item_key_.clear();
}

Problem StatementWrite::read_inserted_key() {
  const Item& item = statement_.item();
  Problem found = find_item_keys_problem(table_->schema, item, ItemKeyWording::kNamesAttribute);
  if (!found) found = find_size_problem(item);
  if (!found) item_key_ = storage::item_key(table_->schema, item);
  return found;
}

Problem StatementWrite::read_key() {
  const TableSchema& schema = table_->schema;
  key_ = named_key(schema, statement_);
  Problem found = read_item_key(schema, key_, item_key_);
  if (!found && statement_.kind() == Statement::Kind::kUpdate) {
    found = find_target_problem(schema, statement_.update());
  }
  return found;
}

const Item& StatementWrite::key() const {
  return statement_.kind() == Statement::Kind::kInsert ? statement_.item() : key_;
}

WriteDecision StatementWrite::operator()(const StoredItem& current) const {
  const TableSchema& schema = table_->schema;
  switch (statement_.kind()) {
    case Statement::Kind::kInsert:
      if (!current) return PutDecision{effort_, schema, statement_.item()}(current);
      throw ApiError(ErrorType::kDuplicateItem, messages::kDuplicateItem);
    case Statement::Kind::kDelete:
      if (!current) return WriteDecision::keep();
      return DeleteDecision{effort_, schema, statement_.condition()}(current);
    default:
      // The clause names the key, so it does not hold for a missing item.
      return UpdateDecision{effort_, schema, key_, &statement_.update(),
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
