#include "expressions/partiql/statement_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "expressions/binder.h"
#include "expressions/expression_error.h"
#include "expressions/messages.h"
#include "expressions/partiql/messages.h"
#include "expressions/partiql/statement_words.h"
#include "storage/model/item_size.h"
#include "storage/model/limits.h"
#include "storage/model/narrow.h"
#include "storage/model/number.h"

namespace magneto::expressions {

using storage::AttributeType;
using storage::AttributeView;
using storage::Number;
using storage::NumberError;
using storage::ValueWriter;

namespace {

[[noreturn]] void fail_value(std::string_view message) {
  throw ExpressionError(message, ExpressionError::Scope::kRequest);
}

std::string_view number_problem(NumberError error, std::string_view text) {
  if (error == NumberError::kOverflow &&
      storage::java_exponent(text) == storage::JavaExponent::kWraps) {
    error = NumberError::kUnderflow;
  }
  switch (error) {
    case NumberError::kUnderflow:
      return messages::kNumberUnderflow;
    case NumberError::kTooManyDigits:
      return messages::kTooManyDigits;
    default:
      return messages::kNumberOverflow;
  }
}

// The members of a bag as messages list them: "a, b, b".
std::string list_text(std::span<const std::string> members) {
  std::string text;
  for (const std::string& member : members) {
    if (!text.empty()) text += ", ";
    text += member;
  }
  return text;
}

bool has_duplicates(std::vector<std::string_view> members) {
  std::sort(members.begin(), members.end());
  return std::adjacent_find(members.begin(), members.end()) != members.end();
}

}  // namespace

std::string term_name(const StatementTree& tree, const Term& term) {
  switch (term.kind) {
    case TermKind::kIdentifier:
    case TermKind::kMember:
      return "Id";
    case TermKind::kPath:
    case TermKind::kWildcard:
      return "Path";
    case TermKind::kString:
    case TermKind::kNumber:
    case TermKind::kBoolean:
    case TermKind::kNull:
    case TermKind::kIon:
      return "Lit";
    case TermKind::kMissing:
      return "Missing";
    case TermKind::kParameter:
      return "Parameter";
    case TermKind::kList:
      return "List";
    case TermKind::kBag:
      return "Bag";
    case TermKind::kStruct:
      return "Struct";
    case TermKind::kType:
      return "Type";
    case TermKind::kSelect:
      return "Select";
    case TermKind::kDataManipulation:
      return "Dml";
    case TermKind::kIs:
      return "IsType";
    case TermKind::kSearchedCase:
      return "SearchedCase";
    case TermKind::kSimpleCase:
      return "SimpleCase";
    case TermKind::kCall:
    case TermKind::kAggregate:
    case TermKind::kUnary:
    case TermKind::kBinary:
    case TermKind::kBetween:
      break;
  }
  std::string name = function_name(tree, term);
  if (tree.token(term).type == StatementTokenType::kOperator) {
    std::replace(name.begin(), name.end(), '_', ' ');  // words that the lexer joined
  }
  return name;
}

std::string function_name(const StatementTree& tree, const Term& call) {
  return lower_case(tree.token(call).text);
}

void throw_not_a_path(const StatementTree& tree, const Term& term) {
  fail_value(messages::not_a_path(location_text(tree.token(term))));
}

bool StatementValues::is_value(const Term& term) {
  switch (term.kind) {
    case TermKind::kString:
    case TermKind::kNumber:
    case TermKind::kBoolean:
    case TermKind::kNull:
    case TermKind::kIon:
    case TermKind::kParameter:
    case TermKind::kList:
    case TermKind::kBag:
    case TermKind::kStruct:
      return true;
    default:
      return false;
  }
}

AttributeView StatementValues::value(const Term& term) {
  if (term.kind == TermKind::kParameter) return parameters_[term.first];
  std::string& bytes = bytes_.emplace_front();
  ValueWriter writer(bytes);
  place_ = "root";
  depth_ = 0;
  write(term, writer);
  return AttributeView(bytes);
}

storage::Item StatementValues::item(const Term& term) {
  std::string bytes;
  ValueWriter writer(bytes);
  if (term.kind == TermKind::kParameter && parameters_[term.first].type() == AttributeType::kMap) {
    writer.begin_item();
    for (const storage::NamedAttribute& attribute : parameters_[term.first].map()) {
      writer.name(attribute.name);
      writer.value(attribute.value);
    }
    writer.end_item();
  } else if (term.kind == TermKind::kStruct) {
    place_ = "root";
    depth_ = 0;
    write_members(term, writer, true);
  } else {
    place_ = "root";
    fail_type(term);
  }
  return storage::Item(std::move(bytes));
}

// A call directly in an INSERT's map is named, a deeper one is not (captured facts 3, P18).
void StatementValues::fail_type(const Term& term) const {
  const std::string location = location_text(tree_.token(term));
  if (term.kind == TermKind::kIon) {
    fail_value(messages::ion_literal(tree_.token(term).text, place_, location));
  }
  const bool is_deep_call = term.kind == TermKind::kCall && depth_ != 0;
  fail_value(
      messages::unsupported_type(is_deep_call ? "Call" : term_name(tree_, term), place_, location));
}

void StatementValues::write(const Term& term, ValueWriter& writer) {
  if (depth_ >= storage::kMaxNestingLevels) fail_value(messages::too_deep(place_));
  switch (term.kind) {
    case TermKind::kString:
      return writer.string(tree_.token(term).text);
    case TermKind::kNumber:
      return writer.number(number(term));
    case TermKind::kBoolean:
      return writer.boolean(tree_.token(term).type == StatementTokenType::kTrue);
    case TermKind::kNull:
      return writer.null();
    case TermKind::kList:
      return write_list(term, writer);
    case TermKind::kBag:
      return write_bag(term, writer);
    case TermKind::kStruct:
      return write_members(term, writer, false);
    case TermKind::kParameter:
      if (depth_ != 0) fail_type(term);
      return writer.value(parameters_[term.first]);
    default:
      fail_type(term);
  }
}

std::string StatementValues::number_text(const Term& term) const {
  std::string text = term.negative ? "-" : "";
  return text += tree_.token(term).text;
}

Number StatementValues::number(const Term& term) const {
  const std::string text = number_text(term);
  NumberError error{};
  const std::optional<Number> number = Number::parse(text, error);
  if (!number) fail_value(messages::invalid_number(number_problem(error, text), place_));
  return *number;
}

void StatementValues::write_list(const Term& term, ValueWriter& writer) {
  writer.begin_list();
  const std::size_t place_size = place_.size();
  ++depth_;
  for (std::size_t i = 0; i < term.count; ++i) {
    place_ += '[' + std::to_string(i) + ']';
    write(tree_.operand(term, i), writer);
    place_.resize(place_size);
  }
  --depth_;
  writer.end_list();
}

// Writes a bag, which is a set of strings or of numbers; the first member decides. Binary sets can
// only be given as a whole, as a parameter (captured facts 3, P12 and P13).
void StatementValues::write_bag(const Term& term, ValueWriter& writer) {
  if (term.count == 0) fail_value(messages::kEmptyBag);
  const TermKind kind = tree_.operand(term, 0).kind;
  std::vector<std::string> numbers;  // in stored form
  std::vector<std::string> shown;
  for (const TermIndex operand : tree_.operands(term)) {
    const Term& member = tree_.term(operand);
    check_bag_member(kind, member);
    if (kind == TermKind::kNumber) {
      numbers.emplace_back(number(member).bytes());
      shown.push_back(number_text(member));
    } else {
      shown.emplace_back(tree_.token(member).text);
    }
  }
  const std::vector<std::string>& members = kind == TermKind::kNumber ? numbers : shown;
  std::vector<std::string_view> views(members.begin(), members.end());
  if (has_duplicates(views)) {
    fail_value(kind == TermKind::kNumber ? messages::repeated_numbers(list_text(shown), place_)
                                         : messages::duplicate_members(list_text(shown)));
  }
  writer.set(kind == TermKind::kNumber ? AttributeType::kNumberSet : AttributeType::kStringSet,
             std::move(views));
}

// `kind`: that of the bag's first member.
void StatementValues::check_bag_member(TermKind kind, const Term& member) const {
  const bool is_string = kind == TermKind::kString;
  if (!is_string && kind != TermKind::kNumber) {
    fail_value(messages::mixed_bag(location_text(tree_.token(member))));
  }
  if (member.kind == kind) return;
  if (member.kind == TermKind::kParameter || member.kind == TermKind::kIon) fail_type(member);
  if (is_string) fail_value(messages::mixed_bag(location_text(tree_.token(member))));
  if (member.kind == TermKind::kNull) fail_value(messages::null_in_numbers(place_));
  fail_value(messages::kMixedBag);
}

void StatementValues::write_members(const Term& term, ValueWriter& writer, bool is_item) {
  is_item ? writer.begin_item() : writer.begin_map();
  std::vector<std::string_view> names;
  const std::size_t place_size = place_.size();
  for (std::size_t i = 0; i < term.count; i += 2) {
    const Term& name = tree_.operand(term, i);
    if (name.kind != TermKind::kString) fail_type(name);
    names.push_back(tree_.token(name).text);
    if (names.back().empty()) fail_value(messages::kEmptyName);
    writer.name(names.back());
    if (!is_item) {
      (place_ += '.') += names.back();
      ++depth_;
    }
    write(tree_.operand(term, i + 1), writer);
    if (!is_item) --depth_;
    place_.resize(place_size);
  }
  if (has_duplicates(std::move(names))) fail_value(messages::repeated_name(place_));
  is_item ? writer.end_item() : writer.end_map();
}

StatementValues::Path StatementValues::path(const Term& term) const {
  if (term.kind == TermKind::kIdentifier) return {PathElement::member(tree_.token(term).text)};
  if (term.kind != TermKind::kPath) throw_not_a_path(tree_, term);
  Path path;
  for (const TermIndex operand : tree_.operands(term)) {
    const Term& step = tree_.term(operand);
    const bool is_name =
        path.empty() ? step.kind == TermKind::kIdentifier : step.kind == TermKind::kMember;
    if (is_name) {
      path.push_back(PathElement::member(tree_.token(step).text));
    } else if (!path.empty() && step.kind == TermKind::kNumber) {
      path.push_back(index(step));
    } else {
      throw_not_a_path(tree_, step);
    }
  }
  check_path_steps(path.size());
  return path;
}

PathElement StatementValues::index(const Term& term) const {
  const std::string_view digits = tree_.token(term).text;
  std::int32_t index = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  const bool fits = result.ec == std::errc() && result.ptr == digits.data() + digits.size();
  if (!fits || (term.negative && index != 0)) {
    fail_value(messages::list_index(number_text(term), location_text(tree_.token(term))));
  }
  return PathElement::element(storage::narrow<std::uint32_t>(index));
}

}  // namespace magneto::expressions
