#include "expressions/update_parser.h"

#include <array>
#include <optional>

#include "expressions/expression_error.h"
#include "expressions/messages.h"
#include "expressions/operand_stack.h"
#include "expressions/token_cursor.h"
#include "expressions/tree_cache.h"

namespace magneto::expressions {

namespace {

// Parses the right side of "path =": an operand, or one addition or subtraction of two operands.
// Either may be in parentheses.
class SetValueParser {
 public:
  SetValueParser(TokenCursor& cursor, SyntaxTree& tree) : cursor_(cursor), tree_(tree) {}

  NodeIndex run() {
    read_operand();
    while (read_operator()) {
    }
    if (!waiting_.empty()) cursor_.fail();
    if (operands_.top().doubly_parenthesized) throw_redundant_parentheses();
    return operands_.top().node;
  }

 private:
  struct Waiting {
    enum class Kind : std::uint8_t { kParenthesis, kCall, kArithmetic };
    Kind kind;
    NodeKind node = NodeKind::kPath;  // kCall, kArithmetic
    std::uint32_t offset = 0;         // kCall: offset of the function name
    std::size_t operands = 0;         // kCall: number of operands below it
    bool takes_arithmetic = false;    // kParenthesis
  };

  bool waits_for(Waiting::Kind kind) const {
    return !waiting_.empty() && waiting_.back().kind == kind;
  }

  bool takes_arithmetic() const {
    if (waiting_.empty()) return true;
    return waiting_.back().kind == Waiting::Kind::kParenthesis && waiting_.back().takes_arithmetic;
  }

  void read_operand() {
    for (;;) {
      const Token token = cursor_.peek();
      if (token.type == TokenType::kOpenParenthesis) {
        const bool arithmetic = takes_arithmetic();
        cursor_.next();
        waiting_.push_back({Waiting::Kind::kParenthesis, NodeKind::kPath, 0, 0, arithmetic});
      } else if (token.type == TokenType::kIdentifier &&
                 cursor_.peek(1).type == TokenType::kOpenParenthesis) {
        cursor_.next();
        cursor_.next();
        const NodeKind kind = take_function_kind(cursor_, token, true);
        cursor_.count_operator();
        waiting_.push_back({Waiting::Kind::kCall, kind, token.begin, operands_.size()});
      } else if (token.type == TokenType::kValuePlaceholder) {
        cursor_.next();
        operands_.push(tree_.add_placeholder(cursor_.text_of(token)), Operand::Form::kValue);
        break;
      } else {
        operands_.push(cursor_.take_path(tree_), Operand::Form::kValue);
        break;
      }
    }
    operand_complete();
  }

  void operand_complete() {
    if (!waits_for(Waiting::Kind::kArithmetic)) return;
    const NodeKind kind = waiting_.back().node;
    waiting_.pop_back();
    use_as_operand();
    operands_.reduce(tree_, kind, 2, Operand::Form::kArithmetic);
  }

  // False at the first token that does not belong to the value.
  bool read_operator() {
    switch (cursor_.peek().type) {
      case TokenType::kPlus:
        begin_arithmetic(NodeKind::kPlus);
        return true;
      case TokenType::kMinus:
        begin_arithmetic(NodeKind::kMinus);
        return true;
      case TokenType::kComma:
        if (waiting_.empty()) return false;
        if (!waits_for(Waiting::Kind::kCall)) cursor_.fail();
        use_as_argument();
        cursor_.next();
        read_operand();
        return true;
      case TokenType::kCloseParenthesis:
        if (waiting_.empty()) cursor_.fail();
        if (waits_for(Waiting::Kind::kCall)) {
          close_call();
        } else {
          close_parenthesis();
        }
        return true;
      default:
        return false;
    }
  }

  void begin_arithmetic(NodeKind kind) {
    if (!takes_arithmetic() || operands_.top().form == Operand::Form::kArithmetic) cursor_.fail();
    use_as_operand();
    cursor_.count_operator();
    cursor_.next();
    waiting_.push_back({Waiting::Kind::kArithmetic, kind});
    read_operand();
  }

  void close_call() {
    use_as_argument();
    const Waiting call = waiting_.back();
    waiting_.pop_back();
    cursor_.next();
    operands_.reduce(tree_, call.node, operands_.size() - call.operands, Operand::Form::kFunction,
                     call.offset);
    operand_complete();
  }

  void close_parenthesis() {
    const bool arithmetic = waiting_.back().takes_arithmetic;
    Operand& operand = operands_.top();
    if (operand.parenthesized) {
      if (operand.form == Operand::Form::kArithmetic || !arithmetic) {
        throw_redundant_parentheses();
      }
      operand.doubly_parenthesized = true;
    }
    operand.parenthesized = true;
    waiting_.pop_back();
    cursor_.next();
    operand_complete();
  }

  void use_as_operand() {
    if (operands_.top().doubly_parenthesized) throw_redundant_parentheses();
  }

  // list_append must not be the argument of a function.
  void use_as_argument() {
    use_as_operand();
    const Operand& operand = operands_.top();
    if (operand.form != Operand::Form::kFunction) return;
    const NodeKind kind = tree_.node(operand.node).kind;
    if (kind == NodeKind::kListAppend) record_misplaced_function(cursor_, kind, operand.offset);
  }

  TokenCursor& cursor_;
  SyntaxTree& tree_;
  OperandStack operands_;
  absl::InlinedVector<Waiting, 8> waiting_;
};

class UpdateParser {
 public:
  UpdateParser(std::string_view text, UpdateTree& update)
      : cursor_(text, TokenCursor::SizeReport::kWithoutSize), update_(update) {}

  void run() {
    do {
      read_section();
    } while (cursor_.peek().type != TokenType::kEnd);
    cursor_.finish();
    if (repeated_) {
      throw ExpressionError(messages::repeated_section(action_text(*repeated_)));
    }
  }

 private:
  void read_section() {
    const ActionKind kind = take_keyword();
    bool& seen = seen_[static_cast<std::size_t>(kind)];
    if (seen && !repeated_) repeated_ = kind;
    seen = true;
    do {
      read_action(kind);
    } while (cursor_.take_if(TokenType::kComma));
  }

  ActionKind take_keyword() {
    const auto taken = [this](ActionKind kind) {
      cursor_.next();
      return kind;
    };
    switch (cursor_.peek().type) {
      case TokenType::kSet:
        return taken(ActionKind::kSet);
      case TokenType::kRemove:
        return taken(ActionKind::kRemove);
      case TokenType::kAdd:
        return taken(ActionKind::kAdd);
      case TokenType::kDelete:
        return taken(ActionKind::kDelete);
      default:
        cursor_.fail();
    }
  }

  void read_action(ActionKind kind) {
    UpdateAction action{kind, cursor_.take_path(update_.tree)};
    if (kind == ActionKind::kSet) {
      cursor_.expect(TokenType::kEqual);
      action.operand = SetValueParser(cursor_, update_.tree).run();
    } else if (kind != ActionKind::kRemove) {
      const Token value = cursor_.expect(TokenType::kValuePlaceholder);
      action.operand = update_.tree.add_placeholder(cursor_.text_of(value));
    }
    update_.actions.push_back(action);
  }

  TokenCursor cursor_;
  UpdateTree& update_;
  std::array<bool, 4> seen_{};
  std::optional<ActionKind> repeated_;
};

std::shared_ptr<const ParsedUpdate> parse_uncached_update(std::string_view text) {
  auto parsed = std::make_shared<ParsedUpdate>(text);
  UpdateParser(parsed->text, parsed->update).run();
  return parsed;
}

}  // namespace

std::shared_ptr<const ParsedUpdate> parse_update(std::string_view text) {
  thread_local TreeCache<ParsedUpdate> cache;
  return cache.get(text, parse_uncached_update);
}

}  // namespace magneto::expressions
