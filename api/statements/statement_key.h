#pragma once

#include <optional>

#include "expressions/partiql/statement.h"
#include "storage/model/attribute_value.h"
#include "storage/model/table_schema.h"

namespace magneto::api {

// The key a bound statement names, as an item. Types are not looked at.

// By equalities on all key attributes in the WHERE clause of an UPDATE, DELETE or EXISTS. Throws
// ValidationException when there are none.
storage::Item named_key(const storage::TableSchema& schema,
                        const expressions::Statement& statement);

// Of the one item of the table a SELECT names, if it asks nothing else of it.
std::optional<storage::Item> find_only_key(const storage::TableSchema& schema,
                                           const expressions::Statement& statement);

}  // namespace magneto::api
