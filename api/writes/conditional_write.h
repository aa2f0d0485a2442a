#pragma once

#include <span>

#include "api/json/attribute_value_json.h"
#include "api/operation.h"
#include "api/validation/problem.h"
#include "expressions/condition.h"
#include "expressions/legacy/legacy_update.h"
#include "expressions/update.h"
#include "storage/model/effort.h"
#include "storage/model/table_schema.h"
#include "storage/table/item_write.h"

// Decisions of writes, made while the item is held. The same decisions serve the single-item
// operations, batches, transactions and statements. Each is pure and may be called more than once.
// It uses the condition, update and item that it was given, which must outlive it. It counts its
// own work and the work of writing the item afterwards, and throws NeedsWorker if the sum is too
// large.
namespace magneto::api {

// Whether a condition holds for the current item; a missing item has no attributes. nullptr: always
// true.
inline bool holds(const expressions::Condition* condition, const storage::StoredItem& current,
                  storage::Effort& effort) {
  return condition == nullptr || condition->matches(current.view(), effort);
}

struct PutDecision {
  storage::Effort& effort;
  const storage::TableSchema& schema;
  const storage::Item& item;
  const expressions::Condition* condition = nullptr;
  storage::WriteDecision operator()(const storage::StoredItem& current) const;
};

struct DeleteDecision {
  storage::Effort& effort;
  const storage::TableSchema& schema;
  const expressions::Condition* condition = nullptr;
  storage::WriteDecision operator()(const storage::StoredItem& current) const;
};

// Applies `update`. If there is no item, it creates one: from the key alone if there is no update
// (nullptr). An update that only removes attributes creates none (captured facts 2, "UpdateItem").
// Throws ExpressionError or ApiError if the update cannot be applied to the current item, or if the
// new item breaks a limit.
struct UpdateDecision {
  storage::Effort& effort;
  const storage::TableSchema& schema;
  const storage::Item& key;  // the key attributes
  const expressions::Update* update = nullptr;
  const expressions::Condition* condition = nullptr;
  storage::WriteDecision operator()(const storage::StoredItem& current) const;
};

// An update from AttributeUpdates. It has its own message if ADD or DELETE meets an attribute of
// another type.
struct LegacyUpdateDecision {
  const UpdateDecision& decision;
  std::span<const expressions::LegacyAttributeUpdate> updates;
  storage::WriteDecision operator()(const storage::StoredItem& current) const;
};

// Finds an update that addresses a key attribute of the table or a part of a key. Also finds one
// that gives an index key a literal value that is empty or of the wrong type (captured facts,
// "UpdateItem" and "Secondary-index key values in writes").
[[nodiscard]] Problem find_target_problem(const storage::TableSchema& schema,
                                          const expressions::Update& update);

// The part of find_target_problem() that finds empty literal values of index keys.
[[nodiscard]] Problem find_literal_index_key_problem(const storage::TableSchema& schema,
                                                     const expressions::Update& update);

// Finds an item to put that exceeds the size limit (captured facts, "Item size limit by write
// surface").
[[nodiscard]] Problem find_size_problem(storage::ItemView item);
// Throws ValidationException if an update's statement exceeds its size limit (captured facts,
// "statement-size rule").
void check_statement_size(const expressions::Update& update);

// Writes, unless throttled. Throws ApiError if storage refuses the write: its table is gone, a
// transaction holds the item, or its collection is full. Throws ConditionalCheckFailedException if
// the condition is false. The units of a failed condition are consumed here, those of a successful
// write together with the response. `return_item` adds the item that the condition saw to the error
// (ReturnValuesOnConditionCheckFailure: ALL_OLD), its number sets in `order`. `key`: the item to put, or its key.
storage::WriteOutcome write_or_throw(const Request& request, const storage::ItemWrite& write,
                                     storage::ItemView key, bool return_item,
                                     json::SetOrder order = json::SetOrder::kByValue);

}  // namespace magneto::api
