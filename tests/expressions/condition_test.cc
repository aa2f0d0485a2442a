#include "expressions/condition.h"

#include <map>
#include <variant>

#include "tests/expressions/expression_request.h"
#include "tests/support/random_values.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;
using storage::AttributeValue;

TEST(ConditionTest, NamesItsAttributes) {
  ExpressionRequest request({{"#b", "b"}, {"#dot", "a.b"}}, {{":v", n("1")}});
  const auto condition = request.parse<Condition>(
      "c = :v AND (#b.x < a OR size(a[1]) > c) AND NOT attribute_exists(#dot)");
  EXPECT_EQ(condition.attributes(), (std::vector<std::string_view>{"c", "b", "a", "a.b"}));
  EXPECT_EQ(condition.nested_attributes(), (std::vector<std::string_view>{"b", "a"}));
}

TEST(ConditionTest, TakesTreesOfOtherFrontEnds) {
  const AttributeValue value = n("5");
  SyntaxTree tree;
  const PathElement path[] = {PathElement::member("a")};
  const NodeIndex left = tree.add_path(path);
  const NodeIndex operands[] = {left, tree.add_value(value)};
  const NodeIndex comparison[] = {tree.add(NodeKind::kGreater, operands)};
  tree.add(NodeKind::kNot, comparison);
  Condition first = Condition::of(tree);
  const Condition condition = std::move(first);
  EXPECT_TRUE(condition.matches(item({{"a", n("5")}})));
  EXPECT_FALSE(condition.matches(item({{"a", n("6")}})));
  EXPECT_TRUE(condition.matches(item({})));
}

// Conditions on attributes that hold numbers, strings or lists of numbers, answered in the plainest
// way and by Condition.
class RandomConditions {
 public:
  using List = std::vector<int>;
  using Value = std::variant<std::monostate, int, std::string, List>;  // monostate: missing

  explicit RandomConditions(std::uint64_t seed) : random_(seed) {}

  ExpressionRequest request;
  std::string text;
  bool expected = false;

  void make_item() {
    for (const char* name : {"a", "b", "c", "d"}) {
      attributes_[name] = random_.one_in(5) ? Value() : random_value();
    }
  }

  storage::Item built_item() const {
    std::string bytes;
    storage::ValueWriter writer(bytes);
    writer.begin_item();
    for (const auto& [name, value] : attributes_) {
      if (value.index() == 0) continue;
      writer.name(name);
      writer.value(built(value));
    }
    writer.end_item();
    return storage::Item(std::move(bytes));
  }

  void make_condition() { std::tie(text, expected) = condition(4); }

 private:
  using Answer = std::pair<std::string, bool>;

  struct Operand {
    std::string text;
    Value value;
  };

  Value random_value() {
    switch (random_.below(3)) {
      case 0:
        return static_cast<int>(random_.below(4));
      case 1:
        return random_.text(2);
      default:
        return List(random_.below(3), static_cast<int>(random_.below(3)));
    }
  }

  static AttributeValue built(const Value& value) {
    if (const int* number = std::get_if<int>(&value)) return n(std::to_string(*number));
    if (const std::string* string = std::get_if<std::string>(&value)) return s(*string);
    std::string bytes;
    storage::ValueWriter writer(bytes);
    writer.begin_list();
    for (const int element : std::get<List>(value)) writer.value(n(std::to_string(element)));
    writer.end_list();
    return AttributeValue(std::move(bytes));
  }

  Operand path() {
    auto attribute = attributes_.begin();
    std::advance(attribute, random_.below(attributes_.size()));
    if (!random_.one_in(4)) return {attribute->first, attribute->second};
    const std::size_t index = random_.below(2);
    const List* elements = std::get_if<List>(&attribute->second);
    Value element;
    if (elements != nullptr && index < elements->size()) element = (*elements)[index];
    return {attribute->first + '[' + std::to_string(index) + ']', element};
  }

  Operand literal(const Value& value) {
    const std::string placeholder = ":v" + std::to_string(placeholders_++);
    request.add_value(placeholder, built(value));
    return {placeholder, value};
  }

  Operand scalar() {
    return literal(random_.one_in(2) ? Value(static_cast<int>(random_.below(4)))
                                     : Value(random_.text(2)));
  }

  Operand size() {
    const Operand measured = path();
    Value value;
    if (const auto* string = std::get_if<std::string>(&measured.value)) {
      value = static_cast<int>(string->size());
    } else if (const auto* elements = std::get_if<List>(&measured.value)) {
      value = static_cast<int>(elements->size());
    }
    return {"size(" + measured.text + ")", value};
  }

  Operand operand() {
    Operand made = random_.one_in(3) ? path() : random_.one_in(4) ? size() : scalar();
    if (random_.one_in(5)) made.text = "(" + made.text + ")";
    return made;
  }

  static bool equal(const Value& a, const Value& b) { return a.index() != 0 && a == b; }
  static bool ordered(const Value& a, const Value& b) {
    return a.index() == b.index() && (a.index() == 1 || a.index() == 2);
  }

  Answer comparison() {
    const Operand a = path();
    const Operand b = random_.one_in(2) ? scalar() : size();
    const bool in_order = ordered(a.value, b.value);
    switch (random_.below(6)) {
      case 0:
        return {a.text + " = " + b.text, equal(a.value, b.value)};
      case 1:
        return {b.text + "<>" + a.text, !equal(a.value, b.value)};
      case 2:
        return {a.text + " < " + b.text, in_order && a.value < b.value};
      case 3:
        return {b.text + "<=" + a.text, in_order && b.value <= a.value};
      case 4:
        return {a.text + " > " + b.text, in_order && a.value > b.value};
      default:
        return {a.text + " >= " + b.text, in_order && a.value >= b.value};
    }
  }

  Answer between() {
    const Operand a = path();
    const Operand low = literal(static_cast<int>(random_.below(2)));
    const Operand high = random_.one_in(2) ? size() : literal(2);
    const bool holds = ordered(a.value, low.value) && ordered(a.value, high.value) &&
                       low.value <= a.value && a.value <= high.value;
    return {a.text + " between " + low.text + " AND " + high.text, holds};
  }

  Answer in() {
    const Operand a = path();
    std::string list;
    bool found = false;
    for (std::uint64_t i = random_.below(3) + 1; i > 0; --i) {
      const Operand one = random_.one_in(3) ? literal(random_value()) : scalar();
      list += (list.empty() ? "" : ",") + one.text;
      found = found || equal(a.value, one.value);
    }
    return {a.text + " IN (" + list + ")", found};
  }

  Answer function() {
    const Operand a = path();
    const Operand b = scalar();
    const auto* string = std::get_if<std::string>(&a.value);
    const auto* part = std::get_if<std::string>(&b.value);
    const auto* number = std::get_if<int>(&b.value);
    const auto* elements = std::get_if<List>(&a.value);
    switch (random_.below(4)) {
      case 0:
        return {"attribute_exists(" + a.text + ")", a.value.index() != 0};
      case 1:
        return {"attribute_not_exists((" + a.text + "))", a.value.index() == 0};
      case 2: {
        const Operand prefix = literal(random_.text(1));
        const auto& wanted = std::get<std::string>(prefix.value);
        return {"begins_with(" + a.text + "," + prefix.text + ")",
                string != nullptr && string->rfind(wanted, 0) == 0};
      }
      default: {
        bool holds =
            string != nullptr && part != nullptr && string->find(*part) != std::string::npos;
        if (elements != nullptr && number != nullptr) {
          holds = std::find(elements->begin(), elements->end(), *number) != elements->end();
        }
        return {"contains(" + a.text + ", " + b.text + ")", holds};
      }
    }
  }

  Answer condition(int depth) {
    if (depth == 0 || random_.one_in(4)) {
      switch (random_.below(4)) {
        case 0:
          return between();
        case 1:
          return in();
        case 2:
          return function();
        default:
          return comparison();
      }
    }
    const Answer a = condition(depth - 1);
    if (random_.one_in(4)) return {"NOT (" + a.first + ")", !a.second};
    const Answer b = condition(depth - 1);
    if (random_.one_in(2)) {
      return {"(" + a.first + ") AND (" + b.first + ")", a.second && b.second};
    }
    return {"(" + a.first + ") or (" + b.first + ")", a.second || b.second};
  }

  RandomValues random_;
  std::map<std::string, Value> attributes_;
  int placeholders_ = 0;
};

TEST(ConditionTest, AnswersAsThePlainEvaluator) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    RandomConditions random(seed);
    random.make_item();
    random.make_condition();
    if (random.text.size() > 4096) continue;
    const auto condition = random.request.parse<Condition>(random.text);
    const storage::Item item = random.built_item();
    EXPECT_EQ(condition.matches(item), random.expected)
        << seed << ": " << random.text << " on " << show(item.view());
  }
}

}  // namespace
}  // namespace magneto::expressions
