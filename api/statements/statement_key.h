#pragma once

#include <optional>

#include "expressions/partiql/key_plan.h"
#include "expressions/partiql/statement.h"
#include "storage/model/attribute_value.h"
#include "storage/model/table_schema.h"

namespace magneto::api {

// The key that a bound statement names, as an item. The types of its values are not checked.

// The key that the WHERE clause of an UPDATE or DELETE names. Throws ValidationException if an
// attribute has no equality, or several values.
storage::Item named_key(const storage::TableSchema& schema,
                        const expressions::Statement& statement);
// The same; nullopt if there is no such key.
std::optional<storage::Item> find_named_key(const storage::TableSchema& schema,
                                            const expressions::Statement& statement);

// Whether the WHERE clause has conditions beside equalities of the key.
bool has_condition_beside_key(const storage::TableSchema& schema,
                              const expressions::Statement& statement);

// The key that an EXISTS names beside another condition. Of several values it means the first
// (captured facts 3, P61). Throws ValidationException if there is none.
storage::Item checked_key(const storage::TableSchema& schema,
                          const expressions::Statement& statement);

// The reads of a SELECT in a batch or transaction, by the table's key. Throws ValidationException
// if two of them overlap, or if they are too many.
expressions::ReadPlan plan_table_read(const storage::TableSchema& schema,
                                      const expressions::Statement& statement);

// The key of the single item that such a SELECT reads, if the WHERE clause has no other condition.
std::optional<storage::Item> find_only_key(const storage::TableSchema& schema,
                                           const expressions::Statement& statement,
                                           const expressions::ReadPlan& plan);

}  // namespace magneto::api
