#pragma once

#include <span>

#include "api/operation.h"
#include "api/validation/problem.h"
#include "expressions/condition.h"
#include "expressions/legacy/legacy_update.h"
#include "expressions/update.h"
#include "storage/model/effort.h"
#include "storage/model/table_schema.h"
#include "storage/table/item_write.h"

// What a write decides while its item is held. The same decisions serve the single-item operations,
// batches, transactions and statements. Each is pure, may be called more than once, and uses the
// condition, update and item it was given, which must outlive it. It counts its own work and what
// writing the item takes afterwards, and throws NeedsWorker where that comes to too much.
namespace magneto::api {

// Whether a condition holds of the current item; a missing item has no attributes. nullptr: always.
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

// Applies `update`. Where there is no item it makes one, of just its key without an update
// (nullptr), but none with an update that only removes (captured facts 2, "UpdateItem"). Throws
// ExpressionError or ApiError when the update cannot be applied to the current item, or the item it
// makes breaks a limit.
struct UpdateDecision {
  storage::Effort& effort;
  const storage::TableSchema& schema;
  const storage::Item& key;  // the key attributes
  const expressions::Update* update = nullptr;
  const expressions::Condition* condition = nullptr;
  storage::WriteDecision operator()(const storage::StoredItem& current) const;
};

// An update from AttributeUpdates, which says in its own words that ADD or DELETE met an attribute
// of another type.
struct LegacyUpdateDecision {
  const UpdateDecision& decision;
  std::span<const expressions::LegacyAttributeUpdate> updates;
  storage::WriteDecision operator()(const storage::StoredItem& current) const;
};

// An update that names a key attribute of the table, or gives an index key a literal value of the
// wrong type, or an empty one, or looks into a key (captured facts, "UpdateItem" and
// "Secondary-index key values in writes").
[[nodiscard]] Problem find_target_problem(const storage::TableSchema& schema,
                                          const expressions::Update& update);

// The part of it that looks for empty literal values of index keys.
[[nodiscard]] Problem find_literal_index_key_problem(const storage::TableSchema& schema,
                                                     const expressions::Update& update);

// An item to put that is over the size limit (captured facts, "Item size limit by write surface").
[[nodiscard]] Problem find_size_problem(storage::ItemView item);
// Throws ValidationException when an update's statement is (captured facts, "statement-size rule").
void check_statement_size(const expressions::Update& update);

// Writes, unless throttled. Throws ApiError when storage refuses the write (its table is gone, a
// transaction holds the item, its collection is full), and ConditionalCheckFailedException when the
// condition is false: that consumes its units here, success with the response; `return_item` adds
// the item the condition saw to the error (ReturnValuesOnConditionCheckFailure: ALL_OLD). `key`: the
// item to put, or its key.
storage::WriteOutcome write_or_throw(const Request& request, const storage::ItemWrite& write,
                                     storage::ItemView key, bool return_item);

}  // namespace magneto::api
