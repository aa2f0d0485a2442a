#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "expressions/syntax_tree.h"
#include "expressions/token_cursor.h"

namespace magneto::expressions {

// What a parser has read so far of an expression it has not finished: operands and conditions
// waiting for the operator they belong to. Parsers keep their own stacks, because the nesting of an
// expression (parentheses, calls, NOT) may be as deep as its text is long.
struct Operand {
  enum class Form : std::uint8_t {
    kValue,     // a path or value
    kFunction,  // a call, not yet known whether it is used as an operand or as a condition
    kArithmetic,
    kCondition,
  };

  NodeIndex node;
  Form form;
  std::uint32_t offset;  // of a call's function name
  bool parenthesized = false;
  bool doubly_parenthesized = false;
};

class OperandStack {
 public:
  std::size_t size() const { return operands_.size(); }
  Operand& top() { return operands_.back(); }
  void push(const Operand& operand) { operands_.push_back(operand); }
  void push(NodeIndex node, Operand::Form form, std::uint32_t offset = 0) {
    operands_.push_back({node, form, offset});
  }

  // Replaces the topmost `count` by one node with them as operands.
  NodeIndex reduce(SyntaxTree& tree, NodeKind kind, std::size_t count, Operand::Form form,
                   std::uint32_t offset = 0);

 private:
  absl::InlinedVector<Operand, 8> operands_;
};

[[noreturn]] void throw_redundant_parentheses();

// The kind of a function by its name. Notes the problem when there is none of that name, or it is
// not one for this kind of expression (`in_update`); the kind returned then has no meaning.
NodeKind take_function_kind(TokenCursor& cursor, const Token& name, bool in_update);

// Notes that a function stands where it may not.
void note_misplaced_function(TokenCursor& cursor, NodeKind kind, std::uint32_t offset);

}  // namespace magneto::expressions
