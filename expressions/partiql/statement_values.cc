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

[[noreturn]] void fail_mixed_bag() { fail_value(messages::kMixedBag); }

[[noreturn]] void fail_too_deep() { fail_value(messages::kNestedTooDeep); }

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
    case TermKind::kPath:
    case TermKind::kWildcard:
      return "path";
    case TermKind::kString:
    case TermKind::kNumber:
    case TermKind::kBoolean:
    case TermKind::kNull:
    case TermKind::kMissing:
      return "literal";
    case TermKind::kParameter:
      return "parameter";
    case TermKind::kList:
      return "list";
    case TermKind::kBag:
      return "set";
    case TermKind::kStruct:
      return "map";
    case TermKind::kType:
      return "type";
    case TermKind::kSelect:
    case TermKind::kDataManipulation:
      return "statement";
    case TermKind::kIs:
      return "IsType";
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

void StatementValues::fail_type(const Term& term) const {
  fail_value(
      messages::unsupported_type(term_name(tree_, term), place_, location_text(tree_.token(term))));
}

void StatementValues::write(const Term& term, ValueWriter& writer) {
  if (depth_ >= storage::kMaxNestingLevels) fail_too_deep();
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
    case TermKind::kParameter: {
      const AttributeView parameter = parameters_[term.first];
      if (depth_ + storage::nesting_levels(parameter) > storage::kMaxNestingLevels) fail_too_deep();
      return writer.value(parameter);
    }
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

// Writes a bag, which is a set of strings or of numbers. Binary sets can only be given as a whole,
// as a parameter (AWS developer guide, "PartiQL data types").
void StatementValues::write_bag(const Term& term, ValueWriter& writer) {
  if (term.count == 0) fail_value(messages::kEmptyBag);
  std::optional<AttributeType> type;
  std::vector<std::string> members;  // in stored form
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < term.count; ++i) {
    const Term& member = tree_.operand(term, i);
    const AttributeType member_type = type_in_bag(member);
    if (type.value_or(member_type) != member_type) fail_mixed_bag();
    type = member_type;
    const bool is_parameter = member.kind == TermKind::kParameter;
    const AttributeView value = is_parameter ? parameters_[member.first] : AttributeView();
    if (member_type == AttributeType::kNumber) {
      const Number number = is_parameter ? value.number() : this->number(member);
      members.emplace_back(number.bytes());
      shown.push_back(is_parameter ? number.to_string() : number_text(member));
    } else {
      members.emplace_back(is_parameter ? value.scalar_bytes() : tree_.token(member).text);
      shown.push_back(members.back());
    }
  }
  std::vector<std::string_view> views(members.begin(), members.end());
  if (has_duplicates(views)) {
    fail_value(messages::duplicate_members(list_text(shown)));
  }
  writer.set(type == AttributeType::kNumber ? AttributeType::kNumberSet : AttributeType::kStringSet,
             std::move(views));
}

AttributeType StatementValues::type_in_bag(const Term& member) const {
  if (member.kind == TermKind::kString) return AttributeType::kString;
  if (member.kind == TermKind::kNumber) return AttributeType::kNumber;
  if (member.kind == TermKind::kParameter) {
    const AttributeType type = parameters_[member.first].type();
    if (type == AttributeType::kString || type == AttributeType::kNumber) return type;
  }
  fail_mixed_bag();
}

void StatementValues::write_members(const Term& term, ValueWriter& writer, bool is_item) {
  is_item ? writer.begin_item() : writer.begin_map();
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < term.count; i += 2) {
    const Term& name = tree_.operand(term, i);
    if (name.kind != TermKind::kString) fail_type(name);
    names.push_back(tree_.token(name).text);
    if (names.back().empty()) fail_value(messages::kEmptyAttributeName);
  }
  if (has_duplicates(names)) fail_value(messages::repeated_name(place_));
  const std::size_t place_size = place_.size();
  if (!is_item) ++depth_;
  for (std::size_t i = 0; i < names.size(); ++i) {
    writer.name(names[i]);
    if (!is_item) (place_ += '.') += names[i];
    write(tree_.operand(term, 2 * i + 1), writer);
    place_.resize(place_size);
  }
  if (!is_item) --depth_;
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
