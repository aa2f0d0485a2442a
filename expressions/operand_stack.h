#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "expressions/syntax_tree.h"
#include "expressions/token_cursor.h"

namespace magneto::expressions {

// The part of an unfinished expression that a parser has read: operands and conditions that wait
// for their operator. Parsers keep their own stacks, because an expression (parentheses, calls,
// NOT) may nest as deeply as its text is long.
struct Operand {
  enum class Form : std::uint8_t {
    kValue,     // a path or value
    kFunction,  // a call that may still become an operand or a condition
    kArithmetic,
    kCondition,
  };

  NodeIndex node;
  Form form;
  std::uint32_t offset;  // offset of a call's function name
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

  // Replaces the topmost `count` operands by one node that has them as operands.
  NodeIndex reduce(SyntaxTree& tree, NodeKind kind, std::size_t count, Operand::Form form,
                   std::uint32_t offset = 0);

 private:
  absl::InlinedVector<Operand, 8> operands_;
};

[[noreturn]] void throw_redundant_parentheses();

// The kind of a function by its name. Notes a problem if no function has that name, or if the
// function does not belong in this kind of expression (`in_update`); then the returned kind has no
// meaning.
NodeKind take_function_kind(TokenCursor& cursor, const Token& name, bool in_update);

// Notes that a function is in a position where it is not allowed.
void record_misplaced_function(TokenCursor& cursor, NodeKind kind, std::uint32_t offset);

}  // namespace magneto::expressions
