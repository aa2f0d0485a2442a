#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
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

// One PartiQL statement: SELECT, INSERT, UPDATE, DELETE, or EXISTS around a SELECT. Immutable after
// bind(). Errors are ExpressionErrors with the whole message.
class Statement {
 public:
  enum class Kind : std::uint8_t { kSelect, kInsert, kUpdate, kDelete, kExists };

  struct Ordering {
    std::string_view attribute;
    bool descending;
    std::string refusal;  // of a term that is no name; empty: it is one
  };

  // Parses `text`, or finds it among the last texts that this thread has parsed. Throws if the text
  // is malformed, is another kind of statement, or names something that cannot be a table or index.
  static Statement parse(std::string_view text);

  Statement(Statement&&) noexcept;
  Statement& operator=(Statement&&) noexcept;
  ~Statement();

  Kind kind() const;
  bool is_read() const { return kind() == Kind::kSelect; }
  std::string_view table() const;
  std::string_view index() const;  // empty: none; only SELECT and EXISTS may have one

  // Replaces the '?' by values, in order, and makes the checks that need no table. Surplus values
  // are ignored. The values must outlive the statement. Call this once, before the functions below.
  void bind(std::span<const storage::AttributeView> parameters);

  // For SELECT and EXISTS. Columns: nullptr for all attributes.
  const SelectedColumns* columns() const;
  const std::vector<Ordering>& ordering() const;
  // The WHERE clause of every kind but INSERT; nullptr if there is none. Paths and values are
  // bound.
  const SyntaxTree* condition_tree() const;
  const Condition* condition() const;
  // For INSERT: the item to put. For UPDATE: the change of the item.
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
