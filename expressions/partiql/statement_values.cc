#include "expressions/partiql/statement_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "expressions/binder.h"
#include "expressions/expression_error.h"
#include "storage/model/limits.h"
#include "storage/model/number.h"

namespace magneto::expressions {

using storage::AttributeType;
using storage::AttributeView;
using storage::Number;
using storage::NumberError;
using storage::ValueWriter;

namespace {

[[noreturn]] void fail(std::string message) {
  throw ExpressionError(std::move(message), ExpressionError::Scope::kRequest);
}

// DynamoDB compares the place of the first digit with its range in 32 bits, where 1e2147483647
// comes out below it (captured facts, "Parameter numbers").
bool wraps_around(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  if (e == std::string_view::npos) return false;
  std::string_view exponent = text.substr(e + 1);
  if (exponent.front() == '+') exponent.remove_prefix(1);
  std::int64_t value = 0;
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), value);
  std::string_view mantissa = text.substr(text.front() == '-' ? 1 : 0);
  mantissa = mantissa.substr(0, mantissa.find_first_of("eE"));
  const std::size_t digits = std::min(mantissa.find('.'), mantissa.size());
  return value + static_cast<std::int64_t>(digits) > std::numeric_limits<std::int32_t>::max();
}

std::string_view number_problem(NumberError error, std::string_view text) {
  if (error == NumberError::kOverflow && wraps_around(text)) error = NumberError::kUnderflow;
  switch (error) {
    case NumberError::kUnderflow:
      return "Number underflow. Attempting to store a number with magnitude smaller than supported "
             "range";
    case NumberError::kTooManyDigits:
      return "Attempting to store more than 38 significant digits in a Number";
    default:
      return "Number overflow. Attempting to store a number with magnitude larger than supported "
             "range";
  }
}

// Members of a bag as messages list them: "[a, b, b]".
std::string list_text(std::span<const std::string> members) {
  std::string text = "[";
  for (const std::string& member : members) {
    if (text.size() > 1) text += ", ";
    text += member;
  }
  return text + ']';
}

bool has_duplicates(std::vector<std::string_view> members) {
  std::sort(members.begin(), members.end());
  return std::adjacent_find(members.begin(), members.end()) != members.end();
}

constexpr std::string_view kInvalidValue = "One or more parameter values were invalid: ";

}  // namespace

std::string_view term_name(const StatementTree& tree, const Term& term) {
  using Name = std::pair<std::string_view, std::string_view>;
  constexpr std::array kOperators = std::to_array<Name>({
      {"=", "Eq"},
      {"<>", "Ne"},
      {"<", "Lt"},
      {"<=", "Lte"},
      {">", "Gt"},
      {">=", "Gte"},
      {"and", "And"},
      {"or", "Or"},
      {"+", "Plus"},
      {"-", "Minus"},
      {"*", "Times"},
      {"/", "Divide"},
      {"%", "Modulo"},
      {"||", "Concat"},
      {"in", "InCollection"},
      {"not_in", "Not"},
      {"like", "Like"},
      {"not_like", "Not"},
  });
  const std::string_view text = tree.token(term).text;
  switch (term.kind) {
    case TermKind::kIdentifier:
    case TermKind::kMember:
    case TermKind::kType:
      return "Id";
    case TermKind::kPath:
    case TermKind::kWildcard:
      return "Path";
    case TermKind::kString:
    case TermKind::kNumber:
    case TermKind::kBoolean:
    case TermKind::kNull:
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
    case TermKind::kCall:
      return "Call";
    case TermKind::kAggregate:
      return "CallAgg";
    case TermKind::kUnary:
      return text == "not" ? "Not" : text == "-" ? "Neg" : "Pos";
    case TermKind::kBetween:
      return term.negative ? "Not" : "Between";
    case TermKind::kIs:
      return term.negative ? "Not" : "IsType";
    case TermKind::kSelect:
      return "Select";
    case TermKind::kDataManipulation:
      return "Dml";
    case TermKind::kBinary:
      break;
  }
  const auto found = std::find_if(kOperators.begin(), kOperators.end(),
                                  [text](const Name& name) { return name.first == text; });
  return found != kOperators.end() ? found->second : "BagOp";
}

std::string function_name(const StatementTree& tree, const Term& call) {
  std::string name(tree.token(call).text);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return name;
}

void throw_not_a_path(const StatementTree& tree, const Term& term) {
  fail("Unexpected path component at " + position_text(tree.token(term)));
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
  std::string message = "Unsupported data type: ";
  message += term.kind == TermKind::kCall ? function_name(tree_, term)
                                          : std::string(term_name(tree_, term));
  message += " under key " + place_ + " at " + position_text(tree_.token(term));
  fail(std::move(message));
}

void StatementValues::write(const Term& term, ValueWriter& writer) {
  if (depth_ >= storage::kMaxNestingLevels) {
    fail("Nesting Levels have exceeded supported limits under " + place_);
  }
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
      // Only the attributes of an item may be parameters.
      if (depth_ == 0) return writer.value(parameters_[term.first]);
      fail_type(term);
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
  if (!number) fail(std::string(number_problem(error, text)) + " under " + place_);
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

// A bag is a set of strings or numbers; there is no literal for binary.
void StatementValues::write_bag(const Term& term, ValueWriter& writer) {
  if (term.count == 0) fail("Empty bags are not supported");
  const TermKind kind = tree_.operand(term, 0).kind;
  std::vector<std::string> shown;
  std::vector<Number> numbers;
  for (std::size_t i = 0; i < term.count; ++i) {
    const Term& member = tree_.operand(term, i);
    if (member.kind != kind || (kind != TermKind::kString && kind != TermKind::kNumber)) {
      fail(
          "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags");
    }
    if (kind == TermKind::kNumber) {
      numbers.push_back(number(member));
      shown.push_back(number_text(member));
    } else {
      shown.emplace_back(tree_.token(member).text);
    }
  }
  std::vector<std::string_view> members;
  if (kind == TermKind::kNumber) {
    for (const Number& member : numbers) members.push_back(member.bytes());
  } else {
    members.assign(shown.begin(), shown.end());
  }
  if (has_duplicates(members)) {
    const std::string collection =
        std::string(kInvalidValue) + "Input collection " + list_text(shown);
    fail(kind == TermKind::kNumber ? collection + " contains duplicates! under " + place_
                                   : collection + " contains duplicates.");
  }
  writer.set(kind == TermKind::kNumber ? AttributeType::kNumberSet : AttributeType::kStringSet,
             std::move(members));
}

void StatementValues::write_members(const Term& term, ValueWriter& writer, bool is_item) {
  is_item ? writer.begin_item() : writer.begin_map();
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < term.count; i += 2) {
    const Term& name = tree_.operand(term, i);
    if (name.kind != TermKind::kString) fail_type(name);
    names.push_back(tree_.token(name).text);
    if (names.back().empty()) fail("Empty attribute name");
  }
  if (has_duplicates(names)) fail("Duplicate keys in tuple are not supported under " + place_);
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

std::vector<PathElement> StatementValues::path(const Term& term) const {
  if (term.kind == TermKind::kIdentifier) return {PathElement::member(tree_.token(term).text)};
  if (term.kind != TermKind::kPath) throw_not_a_path(tree_, term);
  std::vector<PathElement> path;
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
    fail("List index is not within the allowable range; index: [" + number_text(term) + "] at " +
         position_text(tree_.token(term)));
  }
  return PathElement::element(static_cast<std::uint32_t>(index));
}

}  // namespace magneto::expressions
