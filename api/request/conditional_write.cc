#include "api/request/conditional_write.h"

#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/request/admission.h"
#include "api/validation/key_checks.h"
#include "storage/model/document_path.h"
#include "storage/model/item_size.h"
#include "storage/model/limits.h"

namespace magneto::api {

using expressions::Update;
using storage::AttributeType;
using storage::AttributeView;
using storage::DocumentPath;
using storage::Item;
using storage::ItemView;
using storage::StoredItem;
using storage::TableSchema;
using storage::WriteDecision;

namespace {

[[noreturn]] void fail_update_size() {
  fail_validation("Item size to update has exceeded the maximum allowed size");
}

// At rest a value takes at least half the bytes it counts for (a NULL in a list: one, counted two).
bool is_oversized(ItemView item) {
  return 2 * item.bytes().size() > storage::kMaxItemSize &&
         storage::item_size(item) > storage::kMaxItemSize;
}

[[noreturn]] void fail_empty_index_key(AttributeView value) {
  std::string message =
      "One or more parameter values are not valid. The update expression attempted to update a "
      "secondary index key to a value that is not supported. The AttributeValue for a key "
      "attribute "
      "cannot contain an empty ";
  message += value.type() == AttributeType::kString ? "string" : "binary";
  fail_validation(message + " value.");
}

void check_updated_index_key(const TableSchema& schema, std::string_view attribute,
                             AttributeView value) {
  using Kind = IndexKeyProblem::Kind;
  switch (index_key_problem(schema, attribute, value).kind) {
    case Kind::kNone:
      return;
    case Kind::kWrongType:
      fail_validation(
          "The update expression attempted to update the secondary index key to unsupported type");
    case Kind::kEmptyString:
    case Kind::kEmptyBinary:
      fail_empty_index_key(value);
    case Kind::kTooLong:
      check_index_key_value(schema, attribute, value);
  }
}

// What only the finished item shows: an index key computed from other attributes, and documents
// that a nested target made too deep.
void check_updated_item(const TableSchema& schema, const Update& update, ItemView item) {
  for (const DocumentPath& target : update.targets()) {
    const AttributeView value = item.find(target.attribute());
    if (!value) continue;
    if (!target.is_top_level() && storage::nesting_levels(value) > storage::kMaxNestingLevels) {
      fail_validation(
          "Nesting Levels have exceeded supported limits: Attributes in the item have nested "
          "levels "
          "beyond supported limit");
    }
    if (!schema.indexes.empty()) check_updated_index_key(schema, target.attribute(), value);
  }
}

}  // namespace

WriteDecision PutDecision::operator()(const StoredItem& current) const {
  if (!holds(condition, current)) return WriteDecision::reject();
  return WriteDecision::put(item);
}

WriteDecision DeleteDecision::operator()(const StoredItem& current) const {
  if (!holds(condition, current)) return WriteDecision::reject();
  return current ? WriteDecision::remove() : WriteDecision::keep();
}

WriteDecision UpdateDecision::operator()(const StoredItem& current) const {
  if (!holds(condition, current)) return WriteDecision::reject();
  const ItemView base = current ? current.view() : key.view();
  if (update == nullptr) return WriteDecision::put(Item(base));
  Item item = update->apply(base, static_cast<bool>(current));
  if (is_oversized(item)) fail_update_size();
  check_updated_item(schema, *update, item);
  return WriteDecision::put(std::move(item));
}

WriteDecision LegacyUpdateDecision::operator()(const StoredItem& current) const {
  if (!holds(decision.condition, current)) return WriteDecision::reject();
  for (const expressions::LegacyAttributeUpdate& update : updates) {
    if (update.action == expressions::LegacyAction::kPut || !update.value) continue;
    const AttributeView present = current.view().find(update.attribute);
    if (present && present.type() != update.value.type()) {
      fail_validation("Type mismatch for attribute to update");
    }
  }
  return decision(current);
}

void check_update_targets(const TableSchema& schema, const Update& update) {
  const std::vector<DocumentPath>& targets = update.targets();
  for (const DocumentPath& target : targets) {
    if (!schema.key.contains(target.attribute())) continue;
    fail_validation("One or more parameter values were invalid: Cannot update attribute " +
                    target.attribute() + ". This attribute is part of the key");
  }
  check_literal_index_keys(schema, update);
  for (std::size_t i = 0; i < targets.size() && !schema.indexes.empty(); ++i) {
    const AttributeView value = update.literal_value(i);
    if (!value || !targets[i].is_top_level()) continue;
    check_index_key_value(schema, targets[i].attribute(), value);
  }
  check_keys_are_scalars(schema, update.nested_attributes());
}

void check_literal_index_keys(const TableSchema& schema, const Update& update) {
  if (schema.indexes.empty()) return;
  const std::vector<DocumentPath>& targets = update.targets();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const AttributeView value = update.literal_value(i);
    if (!value || !targets[i].is_top_level()) continue;
    const auto kind = index_key_problem(schema, targets[i].attribute(), value).kind;
    if (kind == IndexKeyProblem::Kind::kEmptyString ||
        kind == IndexKeyProblem::Kind::kEmptyBinary) {
      fail_empty_index_key(value);
    }
  }
}

void check_put_size(ItemView item) {
  if (is_oversized(item)) fail_validation("Item size has exceeded the maximum allowed size");
}

void check_statement_size(const Update& update) {
  if (update.statement_charge() > storage::kMaxItemSize) fail_update_size();
}

namespace {

// One of several statements must fail alone when storage turns its write away, so what storage
// throws becomes the request's error here.
storage::WriteOutcome write_or_refuse(storage::Database& database,
                                      const storage::ItemWrite& write) {
  try {
    return database.write(write);
  } catch (const storage::CollectionFull& error) {
    throw ApiError(ErrorType::kItemCollectionSizeLimitExceeded, error.what());
  } catch (const storage::TransactionConflict& error) {
    throw ApiError(ErrorType::kTransactionConflict, error.what());
  } catch (const storage::TableGone&) {
    throw ApiError(ErrorType::kResourceNotFound, "Requested resource not found");
  }
}

}  // namespace

// A failed condition costs what writing the item it saw would (AWS developer guide, "Capacity unit
// consumption for conditional writes").
storage::WriteOutcome write_or_throw(const Request& request, const storage::ItemWrite& write,
                                     bool return_item) {
  admit(request, *write.table, nullptr, UnitUse::kWrite);
  storage::WriteOutcome outcome = write_or_refuse(request.database, write);
  if (!outcome.rejected) return outcome;
  charge(request, *outcome.table, {write_units(outcome.old_size), {}}, UnitUse::kWrite);
  std::string members;
  if (return_item && outcome.old_item) {
    members = ",\"Item\":";
    json::append_item(members, outcome.old_item.view());
  }
  throw ApiError(ErrorType::kConditionalCheckFailed, "The conditional request failed",
                 std::move(members));
}

}  // namespace magneto::api
