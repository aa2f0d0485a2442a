#pragma once

#include <forward_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "expressions/partiql/statement_tree.h"
#include "expressions/syntax_tree.h"
#include "storage/model/attribute_value.h"
#include "storage/model/value_writer.h"

namespace magneto::expressions {

// Converts the terms of a statement to values and document paths. Throws ExpressionError for
// literals that DynamoDB cannot store (captured facts, "PartiQL, Grammar refused") and for terms
// that are not a path.
class StatementValues {
 public:
  // `parameters`: one value for each '?' of the statement; they must outlive this object.
  StatementValues(const StatementTree& tree, std::span<const storage::AttributeView> parameters)
      : tree_(tree), parameters_(parameters) {}

  const StatementTree& tree() const { return tree_; }

  // Whether the term is a literal or a parameter.
  static bool is_value(const Term& term);
  // The value of a literal or parameter. Valid as long as this object.
  storage::AttributeView value(const Term& term);
  // An item from a struct literal that names each attribute, or from a parameter that is a map.
  storage::Item item(const Term& term);

  using Path = absl::InlinedVector<PathElement, 2>;
  static bool is_path(const Term& term) {
    return term.kind == TermKind::kIdentifier || term.kind == TermKind::kPath;
  }
  Path path(const Term& term) const;

 private:
  void write(const Term& term, storage::ValueWriter& writer);
  void write_number(const Term& term, storage::ValueWriter& writer);
  void write_list(const Term& term, storage::ValueWriter& writer);
  void write_bag(const Term& term, storage::ValueWriter& writer);
  void check_bag_member(TermKind kind, const Term& member) const;
  void write_members(const Term& term, storage::ValueWriter& writer, bool is_item);
  storage::Number number(const Term& term) const;
  std::string number_text(const Term& term) const;
  PathElement index(const Term& term) const;
  [[noreturn]] void fail_type(const Term& term) const;

  const StatementTree& tree_;
  std::span<const storage::AttributeView> parameters_;
  std::forward_list<std::string> bytes_;
  std::string place_;      // position of the value being written, as in messages: "root.a[0]"
  std::size_t depth_ = 0;  // number of steps in place_
};

// The name of a term in messages: its kind as PartiQL's syntax tree names it ("Id", "Path", "Lit"),
// or the operator or function as written (captured facts 3, P8).
std::string term_name(const StatementTree& tree, const Term& term);
// The name of the called function, in lower case.
std::string function_name(const StatementTree& tree, const Term& call);
// Refuses a term in a position that allows only a document path.
[[noreturn]] void throw_not_a_path(const StatementTree& tree, const Term& term);

}  // namespace magneto::expressions
