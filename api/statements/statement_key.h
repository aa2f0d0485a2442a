#pragma once

#include <optional>

#include "expressions/partiql/statement.h"
#include "storage/model/attribute_value.h"
#include "storage/model/table_schema.h"

namespace magneto::api {

// The key that a bound statement names, as an item. The types of its values are not checked.

// Finds equalities on all key attributes in the WHERE clause of an UPDATE, DELETE or EXISTS. Throws
// ValidationException if there are none.
storage::Item named_key(const storage::TableSchema& schema,
                        const expressions::Statement& statement);

// The key of the single item that a SELECT reads from the table, if the WHERE clause has no other
// condition.
std::optional<storage::Item> find_only_key(const storage::TableSchema& schema,
                                           const expressions::Statement& statement);

}  // namespace magneto::api
