#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "expressions/condition.h"
#include "expressions/expression_error.h"
#include "expressions/partiql/selected_columns.h"
#include "expressions/partiql/statement_tree.h"
#include "expressions/update.h"
#include "storage/model/attribute_value.h"

namespace magneto::expressions {

// The longest statement, in characters (AWS API reference, ExecuteStatement).
inline constexpr std::size_t kMaxStatementSize = 8'192;

// One PartiQL statement: SELECT, INSERT, UPDATE, DELETE, or EXISTS around a SELECT. Immutable once
// bound. Errors are ExpressionError with the whole message.
class Statement {
 public:
  enum class Kind : std::uint8_t { kSelect, kInsert, kUpdate, kDelete, kExists };

  struct Ordering {
    std::string_view attribute;
    bool descending;
  };

  // Reads `text`, or finds it among the last ones this thread has read. Throws for what is
  // malformed, for statements that are none of these, and for what cannot be a table or index.
  static Statement parse(std::string_view text);

  Statement(Statement&&) noexcept;
  Statement& operator=(Statement&&) noexcept;
  ~Statement();

  Kind kind() const;
  bool is_read() const { return kind() == Kind::kSelect; }
  std::string_view table() const;
  std::string_view index() const;  // empty: none; only SELECT and EXISTS may have one

  // Puts values in the place of the '?', in order, and makes the checks that need no table. The
  // values must outlive the statement. To be called once, before what follows.
  void bind(std::span<const storage::AttributeView> parameters);

  // SELECT and EXISTS; nullptr: all attributes.
  const SelectedColumns* columns() const;
  const std::vector<Ordering>& ordering() const;
  // The WHERE clause of all but INSERT; nullptr: none. Paths and values are bound.
  const SyntaxTree* condition_tree() const;
  const Condition* condition() const;
  // INSERT: what is to be put. UPDATE: how it changes the item.
  const storage::Item& item() const;
  const Update& update() const;
  Returning returning() const;

 private:
  struct Parsed;
  struct State;
  explicit Statement(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace magneto::expressions
