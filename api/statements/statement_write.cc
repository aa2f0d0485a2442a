#include "api/statements/statement_write.h"

#include <utility>

#include "api/error.h"
#include "api/messages/key_messages.h"
#include "api/messages/statement_messages.h"
#include "api/messages/value_messages.h"
#include "api/statements/statement_key.h"
#include "api/validation/key_checks.h"
#include "api/writes/conditional_write.h"
#include "expressions/partiql/key_plan.h"
#include "expressions/projection.h"
#include "storage/encoding/key_encoding.h"
#include "storage/model/item_size.h"
#include "storage/model/key_value.h"
#include "storage/model/limits.h"

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

void check_key_types(const storage::KeySchema& schema, storage::ItemView key) {
  for (const auto element : schema.attributes()) {
    expressions::check_key_type(key.find(element.attribute.name), element.attribute);
  }
}

void check_are_key_types(storage::ItemView key) {
  for (const auto member : key) expressions::check_is_key_type(member.value, member.name);
}

bool has_long_key(const storage::KeySchema& schema, storage::ItemView item) {
  for (const auto element : schema.attributes()) {
    const storage::AttributeView value = item.find(element.attribute.name);
    if (value && storage::key_value_problem(value, element.attribute.type, element.is_partition) ==
                     storage::KeyValueProblem::kTooLong) {
      return true;
    }
  }
  return false;
}

// Refuses an item with an attribute that is too deep.
void check_depth(storage::ItemView item) {
  for (const auto member : item) {
    if (storage::nesting_levels(member.value) > storage::kMaxNestingLevels) {
      fail_validation(messages::kStoredTooDeep);
    }
  }
}

}  // namespace

StatementWrite::StatementWrite(storage::TablePtr table, const StatementInput& input,
                               storage::Effort& effort, KeyWording wording)
    : table_(std::move(table)),
      statement_(input.statement()),
      has_deep_parameter_(input.has_deep_parameter()),
      effort_(effort) {
  const bool inserts = statement_.kind() == Statement::Kind::kInsert;
  problem_ = inserts ? read_inserted_key(wording) : read_key(wording);
  if (problem_) item_key_.clear();
}

Problem StatementWrite::read_inserted_key(KeyWording wording) {
  const Item& item = statement_.item();
  for (const auto element : table_->schema.key.attributes()) {
    if (wording == KeyWording::kOfTransaction) break;
    const storage::AttributeView value = item.view().find(element.attribute.name);
    if (value && value.type() != element.attribute.type) {
      return expressions::messages::other_key_type(element.attribute.name);
    }
  }
  problem_names_table_ = has_long_key(table_->schema.key, item);
  Problem found = find_item_keys_problem(table_->schema, item, ItemKeyWording::kNamesAttribute);
  if (!found) found = find_size_problem(item);
  if (!found) item_key_ = storage::item_key(table_->schema, item);
  return found;
}

Problem StatementWrite::read_key(KeyWording wording) {
  const TableSchema& schema = table_->schema;
  if (wording == KeyWording::kOfStatement) {
    key_ = named_key(schema, statement_);
    check_key_types(schema.key, key_);
  } else if (auto key = find_named_key(schema, statement_)) {
    key_ = *std::move(key);
    check_are_key_types(key_);
  } else {
    return std::string(messages::kKeyMismatch);
  }
  problem_names_table_ = true;
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
  WriteDecision decision = decide(current);
  if (has_deep_parameter_ && decision.kind == WriteDecision::Kind::kPut) check_depth(decision.item);
  return decision;
}

WriteDecision StatementWrite::decide(const StoredItem& current) const {
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
