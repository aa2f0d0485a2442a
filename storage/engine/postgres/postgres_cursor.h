#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "storage/engine/postgres/postgres_connection.h"
#include "storage/engine/postgres/postgres_tree.h"
#include "storage/engine/postgres/statements.h"

namespace magneto::storage {

// Executes one reading statement.
using RunRead = std::function<QueryResult(const Statement&, const Arguments&)>;

// A walk that reads page by page, each with one call of `run`. A page has at most about a megabyte
// of values.
std::unique_ptr<Cursor> make_postgres_cursor(RunRead run, const Statements& statements,
                                             const PostgresTree& tree, std::string_view lower,
                                             std::string_view upper, Direction direction,
                                             ScanHint hint);

}  // namespace magneto::storage
