#include "server/feeds/event_sources/filter_pattern.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "server/feeds/event_sources/messages.h"

namespace magneto::server::feeds {

using api::json::Array;
using api::json::Member;
using api::json::Object;
using api::json::Type;
using api::json::Value;

namespace {

constexpr std::string_view kOr = "$or";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
  std::string made(text);
  std::ranges::transform(made, made.begin(), [](char c) { return lower(c); });
  return made;
}

bool is_number(Value value) { return value && value.type() == Type::kNumber; }

}  // namespace

// One condition on a value of the event.
struct FilterPattern::Test {
  enum class Kind : std::uint8_t {
    kText,
    kNumber,
    kBoolean,
    kNull,
    kPrefix,
    kSuffix,
    kSameButCase,
    kNumeric,
    kAnythingBut,
    kExists
  };

  Kind kind = Kind::kNull;
  bool flag = false;      // kBoolean; kExists; for kPrefix and kSuffix: ignore case
  std::string text = {};  // in lower case if case is ignored
  double number = 0;      // kNumber
  // kNumber: set if the number is written as an integer. 300 and 300.0 are different (Lambda
  // developer guide, "Filter rule syntax").
  std::optional<std::int64_t> whole = {};
  std::vector<Test> but = {};  // kAnythingBut: none of them may match
  // kNumeric: all of them must match.
  std::vector<std::pair<std::string, double>> comparisons = {};

  bool matches(Value value) const;

 private:
  bool compares(double given) const;
};

struct FilterPattern::Field {
  std::string name;
  std::vector<Test> tests;           // one of them must match, unless there is a part
  std::unique_ptr<const Part> part;  // the pattern below this field
};

// All fields must match, and one alternative of each list.
struct FilterPattern::Part {
  std::vector<Field> fields = {};
  std::vector<std::vector<Part>> alternatives = {};

  bool matches(Value event) const;
  static bool matches(const Field& field, Value value);
};

bool FilterPattern::Test::compares(double given) const {
  return std::ranges::all_of(comparisons, [given](const auto& comparison) {
    const auto& [sign, limit] = comparison;
    if (sign == "=") return given == limit;
    if (sign == "<") return given < limit;
    if (sign == "<=") return given <= limit;
    return sign == ">" ? given > limit : given >= limit;
  });
}

// Matches a value that exists and is neither an object nor a list.
bool FilterPattern::Test::matches(Value value) const {
  const std::string_view given = value.string();
  switch (kind) {
    case Kind::kText:
      return value.is_string() && given == text;
    case Kind::kNumber:
      return is_number(value) && value.integer() == whole && value.number() == number;
    case Kind::kBoolean:
      return value.type() == Type::kBoolean && value.boolean() == flag;
    case Kind::kNull:
      return value.is_null();
    case Kind::kPrefix:
      return value.is_string() &&
             (flag ? lower(given.substr(0, text.size())) == text : given.starts_with(text));
    case Kind::kSuffix:
      if (!value.is_string() || given.size() < text.size()) return false;
      return flag ? lower(given.substr(given.size() - text.size())) == text : given.ends_with(text);
    case Kind::kSameButCase:
      return value.is_string() && lower(given) == text;
    case Kind::kNumeric:
      return is_number(value) && compares(value.number());
    case Kind::kAnythingBut:
      return std::ranges::none_of(but, [value](const Test& test) { return test.matches(value); });
    case Kind::kExists:
      break;
  }
  return flag;
}

bool FilterPattern::Part::matches(const Field& field, Value value) {
  if (value.is_array()) {
    bool has_leaf = false;
    for (const Value element : value.array()) {
      if (matches(field, element)) return true;
      has_leaf = true;
    }
    if (has_leaf) return false;
    value = Value();
  }
  if (field.part != nullptr) return field.part->matches(value.is_object() ? value : Value());
  const bool is_leaf = value && !value.is_object();
  return std::ranges::any_of(field.tests, [&](const Test& test) {
    return is_leaf ? test.matches(value) : test.kind == Test::Kind::kExists && !test.flag;
  });
}

bool FilterPattern::Part::matches(Value event) const {
  const Object object = event.object();
  for (const Field& field : fields) {
    if (!matches(field, object.find(field.name))) return false;
  }
  return std::ranges::all_of(alternatives, [&](const std::vector<Part>& parts) {
    return std::ranges::any_of(parts, [&](const Part& part) { return part.matches(event); });
  });
}

class FilterPattern::Reader {
 public:
  static Part read_part(Value value, std::string_view place) {
    if (!value.is_object()) throw FilterPatternError(messages::pattern_no_object(place));
    Part part;
    std::set<std::string_view> seen;
    for (const Member member : value.object()) {
      if (!seen.insert(member.name).second) {
        throw FilterPatternError(messages::pattern_twice(place, member.name));
      }
      if (member.name == kOr) {
        part.alternatives.push_back(read_alternatives(member.value));
        continue;
      }
      Field& field = part.fields.emplace_back();
      field.name = std::string(member.name);
      if (member.value.is_object()) {
        field.part = std::make_unique<const Part>(read_part(member.value, member.name));
      } else {
        field.tests = read_tests(member.value, member.name);
      }
    }
    if (value.object().empty()) throw FilterPatternError(messages::pattern_empty(place));
    return part;
  }

 private:
  using Kind = Test::Kind;

  static std::vector<Part> read_alternatives(Value value) {
    if (value.array().size() < 2) throw FilterPatternError(messages::kPatternOr);
    std::vector<Part> parts;
    for (const Value part : value.array()) parts.push_back(read_part(part, kOr));
    return parts;
  }

  static std::vector<Test> read_tests(Value value, std::string_view place) {
    if (!value.is_array()) throw FilterPatternError(messages::kPatternNoList(place));
    if (value.array().empty()) throw FilterPatternError(messages::pattern_empty(place));
    std::vector<Test> tests;
    for (const Value test : value.array()) {
      tests.push_back(test.is_object() ? read_comparison(test.object(), place)
                                       : read_value(test, place));
    }
    return tests;
  }

  static Test read_value(Value value, std::string_view place) {
    if (value.is_string()) return {.kind = Kind::kText, .text = std::string(value.string())};
    switch (value.type()) {
      case Type::kNumber:
        return {.kind = Kind::kNumber, .number = value.number(), .whole = value.integer()};
      case Type::kBoolean:
        return {.kind = Kind::kBoolean, .flag = value.boolean()};
      case Type::kNull:
        return {.kind = Kind::kNull};
      default:
        throw FilterPatternError(messages::kPatternNoValue(place));
    }
  }

  static Test read_comparison(Object object, std::string_view place) {
    if (object.size() != 1) throw FilterPatternError(messages::kPatternComparison(place));
    const Member member = *object.begin();
    const std::string_view name = member.name;
    if (name == "exists") {
      if (member.value.type() != Type::kBoolean) fail(name);
      return {.kind = Kind::kExists, .flag = member.value.boolean()};
    }
    if (name == "numeric") return read_numeric(member.value);
    if (name != "anything-but") return read_text_comparison(member, place);
    Test test{.kind = Kind::kAnythingBut};
    if (member.value.is_object()) {
      if (member.value.object().size() != 1) fail(name);
      test.but.push_back(read_text_comparison(*member.value.object().begin(), name));
      return test;
    }
    if (!member.value.is_array()) {
      test.but.push_back(read_value(member.value, name));
      return test;
    }
    for (const Value value : member.value.array()) test.but.push_back(read_value(value, name));
    if (test.but.empty()) fail(name);
    return test;
  }

  // Reads prefix, suffix and equals-ignore-case.
  static Test read_text_comparison(const Member& member, std::string_view place) {
    constexpr std::string_view kSame = "equals-ignore-case";
    if (member.name == kSame) {
      if (!member.value.is_string()) fail(kSame);
      return {.kind = Kind::kSameButCase, .text = lower(member.value.string())};
    }
    const bool is_prefix = member.name == "prefix";
    if (!is_prefix && member.name != "suffix") {
      throw FilterPatternError(messages::kPatternUnknown(member.name, place));
    }
    const Object nested = member.value.object();
    const Value folded = nested.find(kSame);
    const bool is_folded = folded.is_string() && nested.size() == 1;
    if (!is_folded && !member.value.is_string()) fail(member.name);
    return {.kind = is_prefix ? Kind::kPrefix : Kind::kSuffix,
            .flag = is_folded,
            .text = is_folded ? lower(folded.string()) : std::string(member.value.string())};
  }

  // Reads ["=", 5] or [">", 0, "<=", 5]: one comparison, or a lower limit and then a greater upper
  // limit (as JsonRuleCompiler does in Event Ruler, which reads the patterns of EventBridge).
  static Test read_numeric(Value value) {
    constexpr std::string_view kName = "numeric";
    constexpr std::size_t kMost = 4;
    const Array list = value.array();
    if (list.empty() || list.size() > kMost || list.size() % 2 != 0) fail(kName);
    Test test{.kind = Kind::kNumeric};
    bool is_sign = true;
    for (const Value element : list) {
      if (is_sign) {
        constexpr std::string_view kSigns[] = {"=", "<", "<=", ">", ">="};
        if (std::ranges::find(kSigns, element.string()) == std::end(kSigns)) fail(kName);
        test.comparisons.emplace_back(element.string(), 0);
      } else {
        if (!is_number(element)) fail(kName);
        test.comparisons.back().second = element.number();
      }
      is_sign = !is_sign;
    }
    if (test.comparisons.size() == 2) {
      const auto& [lower, least] = test.comparisons.front();
      const auto& [upper, most] = test.comparisons.back();
      if (!lower.starts_with('>') || !upper.starts_with('<') || least >= most) fail(kName);
    }
    return test;
  }

  [[noreturn]] static void fail(std::string_view name) {
    throw FilterPatternError(messages::kPatternWrongOperand(name));
  }
};

FilterPattern::FilterPattern(std::string_view text) {
  if (text.size() > kMaxBytes) throw FilterPatternError(messages::kPatternTooLong);
  api::json::Document document;
  std::string padded(text);
  const std::optional<Value> value = document.parse(padded);
  if (!value) throw FilterPatternError(messages::kPatternNoJson);
  part_ = std::make_unique<const Part>(Reader::read_part(*value, {}));
}

FilterPattern::~FilterPattern() = default;
FilterPattern::FilterPattern(FilterPattern&&) noexcept = default;
FilterPattern& FilterPattern::operator=(FilterPattern&&) noexcept = default;

bool FilterPattern::matches(Value event) const { return part_->matches(event); }

}  // namespace magneto::server::feeds
