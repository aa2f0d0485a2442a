#include "expressions/condition_parser.h"

#include <optional>

#include "expressions/operand_stack.h"
#include "expressions/token_cursor.h"
#include "expressions/tree_cache.h"

namespace magneto::expressions {

namespace {

std::optional<NodeKind> comparator_of(TokenType type) {
  switch (type) {
    case TokenType::kEqual:
      return NodeKind::kEqual;
    case TokenType::kNotEqual:
      return NodeKind::kNotEqual;
    case TokenType::kLess:
      return NodeKind::kLess;
    case TokenType::kLessOrEqual:
      return NodeKind::kLessOrEqual;
    case TokenType::kGreater:
      return NodeKind::kGreater;
    case TokenType::kGreaterOrEqual:
      return NodeKind::kGreaterOrEqual;
    default:
      return std::nullopt;
  }
}

// A parser by operator precedence with explicit stacks. NOT binds tighter than AND, AND tighter
// than OR.
class ConditionParser {
 public:
  ConditionParser(std::string_view text, SyntaxTree& tree)
      : cursor_(text, TokenCursor::SizeReport::kWithSize), tree_(tree) {}

  void run() {
    while (cursor_.peek().type != TokenType::kEnd || pending_operand_) {
      if (pending_operand_) {
        read_operand();
      } else {
        read_operator();
      }
    }
    complete_conditions();
    if (!waiting_.empty()) cursor_.fail();
    cursor_.finish();
  }

 private:
  // A construct that waits for operands or conditions.
  struct Waiting {
    enum class Kind : std::uint8_t {
      kParenthesis,
      kCall,
      kInList,
      kComparison,
      kBetweenLow,
      kBetweenHigh,
      kNot,
      kAnd,
      kOr,
    };
    Kind kind;
    NodeKind node = NodeKind::kPath;  // kCall, kComparison
    std::uint32_t offset = 0;         // kCall: offset of the function name
    std::size_t operands = 0;         // kCall, kInList: number of operands below it
    bool takes_condition = false;     // kParenthesis: may enclose a condition, not only an operand
  };

  bool waits_for(Waiting::Kind kind) const {
    return !waiting_.empty() && waiting_.back().kind == kind;
  }

  // Whether a condition may begin or end here, not only an operand.
  bool takes_condition() const {
    if (waiting_.empty()) return true;
    const Waiting& top = waiting_.back();
    switch (top.kind) {
      case Waiting::Kind::kParenthesis:
        return top.takes_condition;
      case Waiting::Kind::kNot:
      case Waiting::Kind::kAnd:
      case Waiting::Kind::kOr:
        return true;
      default:
        return false;
    }
  }

  void wait(Waiting::Kind kind) { waiting_.push_back({kind}); }

  void read_operand() {
    switch (cursor_.peek().type) {
      case TokenType::kOpenParenthesis: {
        const bool condition = takes_condition();
        cursor_.next();
        waiting_.push_back({Waiting::Kind::kParenthesis, NodeKind::kPath, 0, 0, condition});
        return;
      }
      case TokenType::kNot:
        if (!takes_condition()) cursor_.fail();
        cursor_.next();
        cursor_.count_operator();
        wait(Waiting::Kind::kNot);
        return;
      case TokenType::kIdentifier:
        if (cursor_.peek(1).type == TokenType::kOpenParenthesis) {
          const Token name = cursor_.next();
          cursor_.next();
          const NodeKind kind = take_function_kind(cursor_, name, false);
          cursor_.count_operator();
          waiting_.push_back({Waiting::Kind::kCall, kind, name.begin, operands_.size()});
          return;
        }
        [[fallthrough]];
      case TokenType::kNamePlaceholder:
        operands_.push(cursor_.take_path(tree_), Operand::Form::kValue);
        break;
      case TokenType::kValuePlaceholder:
        operands_.push(tree_.add_placeholder(cursor_.text_of(cursor_.peek())),
                       Operand::Form::kValue);
        cursor_.next();
        break;
      default:
        cursor_.fail();
    }
    operand_complete();
  }

  void operand_complete() {
    pending_operand_ = false;
    if (waits_for(Waiting::Kind::kComparison)) {
      const NodeKind kind = waiting_.back().node;
      waiting_.pop_back();
      use_as_operand();
      operands_.reduce(tree_, kind, 2, Operand::Form::kCondition);
    } else if (waits_for(Waiting::Kind::kBetweenHigh)) {
      waiting_.pop_back();
      use_as_operand();
      operands_.reduce(tree_, NodeKind::kBetween, 3, Operand::Form::kCondition);
    }
  }

  void read_operator() {
    const TokenType type = cursor_.peek().type;
    if (const std::optional<NodeKind> comparator = comparator_of(type)) {
      begin_comparison();
      waiting_.push_back({Waiting::Kind::kComparison, *comparator});
      return;
    }
    switch (type) {
      case TokenType::kBetween:
        begin_comparison();
        wait(Waiting::Kind::kBetweenLow);
        return;
      case TokenType::kIn:
        begin_comparison();
        cursor_.expect(TokenType::kOpenParenthesis);
        waiting_.push_back({Waiting::Kind::kInList, NodeKind::kIn, 0, operands_.size() - 1});
        return;
      case TokenType::kAnd:
        if (waits_for(Waiting::Kind::kBetweenLow)) {
          use_as_operand();
          waiting_.back().kind = Waiting::Kind::kBetweenHigh;
        } else {
          if (!takes_condition()) cursor_.fail();
          complete_negations();
          wait(Waiting::Kind::kAnd);
          cursor_.count_operator();
        }
        cursor_.next();
        pending_operand_ = true;
        return;
      case TokenType::kOr:
        if (!takes_condition()) cursor_.fail();
        complete_negations();
        complete_all(Waiting::Kind::kAnd, NodeKind::kAnd);
        wait(Waiting::Kind::kOr);
        cursor_.count_operator();
        cursor_.next();
        pending_operand_ = true;
        return;
      case TokenType::kComma:
        if (!waits_for(Waiting::Kind::kCall) && !waits_for(Waiting::Kind::kInList)) {
          cursor_.fail();
        }
        use_as_operand();
        cursor_.next();
        pending_operand_ = true;
        return;
      case TokenType::kCloseParenthesis:
        close_parenthesis();
        return;
      default:
        cursor_.fail();
    }
  }

  void begin_comparison() {
    if (!takes_condition() || operands_.top().form == Operand::Form::kCondition) cursor_.fail();
    use_as_operand();
    cursor_.count_operator();
    cursor_.next();
    pending_operand_ = true;
  }

  void close_parenthesis() {
    if (waiting_.empty()) cursor_.fail();
    switch (waiting_.back().kind) {
      case Waiting::Kind::kCall:
      case Waiting::Kind::kInList:
        close_list();
        return;
      case Waiting::Kind::kParenthesis:
        break;
      case Waiting::Kind::kNot:
      case Waiting::Kind::kAnd:
      case Waiting::Kind::kOr:
        complete_conditions();
        if (!waits_for(Waiting::Kind::kParenthesis)) cursor_.fail();
        break;
      default:
        cursor_.fail();
    }
    const bool takes_condition = waiting_.back().takes_condition;
    Operand& operand = operands_.top();
    if (operand.parenthesized) {
      // If the parentheses may enclose an operand or a condition, the parser reads on before it
      // decides.
      if (operand.form == Operand::Form::kCondition || !takes_condition) {
        throw_redundant_parentheses();
      }
      operand.doubly_parenthesized = true;
    }
    operand.parenthesized = true;
    waiting_.pop_back();
    cursor_.next();
    if (operand.form != Operand::Form::kCondition) operand_complete();
  }

  void close_list() {
    use_as_operand();
    const Waiting list = waiting_.back();
    waiting_.pop_back();
    cursor_.next();
    const std::size_t count = operands_.size() - list.operands;
    if (list.kind == Waiting::Kind::kInList) {
      operands_.reduce(tree_, NodeKind::kIn, count, Operand::Form::kCondition);
    } else {
      operands_.reduce(tree_, list.node, count, Operand::Form::kFunction, list.offset);
      operand_complete();
    }
  }

  void use_as_operand() {
    const Operand& operand = operands_.top();
    if (operand.doubly_parenthesized) throw_redundant_parentheses();
    if (operand.form == Operand::Form::kFunction) {
      const NodeKind kind = tree_.node(operand.node).kind;
      if (kind != NodeKind::kSize) record_misplaced_function(cursor_, kind, operand.offset);
    }
  }

  void use_as_condition() {
    Operand& operand = operands_.top();
    if (operand.form == Operand::Form::kCondition) return;
    if (operand.form != Operand::Form::kFunction) cursor_.fail();
    if (operand.doubly_parenthesized) throw_redundant_parentheses();
    const NodeKind kind = tree_.node(operand.node).kind;
    if (kind == NodeKind::kSize) record_misplaced_function(cursor_, kind, operand.offset);
    operand.form = Operand::Form::kCondition;
  }

  void complete_negations() {
    use_as_condition();
    while (waits_for(Waiting::Kind::kNot)) {
      waiting_.pop_back();
      operands_.reduce(tree_, NodeKind::kNot, 1, Operand::Form::kCondition);
    }
  }

  // Makes one node for a sequence of the same operator.
  void complete_all(Waiting::Kind kind, NodeKind node) {
    std::size_t count = 1;
    while (waits_for(kind)) {
      waiting_.pop_back();
      ++count;
    }
    if (count > 1) operands_.reduce(tree_, node, count, Operand::Form::kCondition);
  }

  void complete_conditions() {
    if (!takes_condition()) cursor_.fail();
    complete_negations();
    complete_all(Waiting::Kind::kAnd, NodeKind::kAnd);
    complete_all(Waiting::Kind::kOr, NodeKind::kOr);
  }

  TokenCursor cursor_;
  SyntaxTree& tree_;
  OperandStack operands_;
  absl::InlinedVector<Waiting, 8> waiting_;
  bool pending_operand_ = true;
};

std::shared_ptr<const ParsedCondition> parse_uncached_condition(std::string_view text) {
  auto parsed = std::make_shared<ParsedCondition>(text);
  ConditionParser(parsed->text, parsed->tree).run();
  return parsed;
}

}  // namespace

std::shared_ptr<const ParsedCondition> parse_condition(std::string_view text) {
  thread_local TreeCache<ParsedCondition> cache;
  return cache.get(text, parse_uncached_condition);
}

}  // namespace magneto::expressions
