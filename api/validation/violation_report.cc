#include <array>
#include <string>
#include <vector>

#include "api/error.h"
#include "api/messages/request_messages.h"
#include "api/validation/constraint.h"
#include "api/validation/shape_checker.h"
#include "api/validation/value_echo.h"

namespace magneto::api {
namespace {

using json::Value;

// AWS reports no more than ten problems.
constexpr std::size_t kMaxProblems = 10;

// One step on the path from the request to a member.
struct Step {
  enum class Kind { kMember, kListElement, kMapValue };
  Kind kind;
  std::string_view name;  // kMember, kMapValue
  std::size_t number;     // kListElement, from 1
};

bool is_number(const Shape& shape) {
  return shape.kind == Kind::kInteger || shape.kind == Kind::kLong || shape.kind == Kind::kDouble;
}

std::string_view measure(const Shape& shape) { return is_number(shape) ? "value" : "length"; }

std::string minimum_words(const Shape& shape) {
  return messages::at_least(measure(shape), shape.min);
}

std::string maximum_words(const Shape& shape) {
  return messages::at_most(measure(shape), shape.max);
}

std::string pattern_words(const Shape& shape) { return messages::pattern(shape.pattern->text); }

// The constraints on keys or values of a map, in AWS's order: maximum, minimum, pattern.
std::string constraint_list(const Shape& shape) {
  std::string out;
  const auto add = [&out](const std::string& words) {
    if (!out.empty()) out += ", ";
    out += words;
  };
  if (shape.has_max) add(maximum_words(shape));
  if (shape.has_min) add(minimum_words(shape));
  if (shape.pattern != nullptr) add(pattern_words(shape));
  return out;
}

class Report {
 public:
  explicit Report(bool older) : older_(older) {}

  void structure(Value value, const Shape& shape) {
    for (const MemberShape& member : shape.members) {
      if (full()) return;
      const Value found = value.object().find(member.name);
      path_.push_back({Step::Kind::kMember, member.name, 0});
      if (!found || found.is_null()) {
        if (member.required != Required::kNo) add_null();
      } else {
        this->value(found, *member.shape, older_ ? Wording::kOlder : member.wording);
      }
      path_.pop_back();
    }
  }

  std::string message() const {
    if (!alone_.empty()) return alone_;
    if (problems_.empty()) {
      return last_resort_.empty() ? std::string() : std::string(kOneValidationError) + last_resort_;
    }
    return joined_violations(problems_);
  }

 private:
  bool full() const { return problems_.size() >= kMaxProblems || !alone_.empty(); }

  void add(std::string text) { problems_.push_back(std::move(text)); }

  void add_null() { add(messages::null_at(older_path())); }

  void add_older(Value value, const Shape& shape, Wording wording, const std::string& words) {
    std::string echo;
    append_echo(value, shape, echo);
    std::string text = messages::value_at(echo, older_path(), words);
    if (wording != Wording::kLastResort) {
      add(std::move(text));
    } else if (last_resort_.empty()) {
      last_resort_ = std::move(text);
    }
  }

  void range_violation(Value value, const Shape& shape, Wording wording, bool current,
                       const std::string& words) {
    if (current) {
      alone_ = std::string(kOneValidationError) + messages::hidden_value_at(current_path(), words);
    } else {
      add_older(value, shape, wording, words);
    }
  }

  void enum_violation(Value value, const Shape& shape, Wording wording) {
    const bool current = wording == Wording::kCurrentEnum ||
                         wording == Wording::kCurrentEnumAlone ||
                         wording == Wording::kCurrentEnumBare;
    if (!current) {
      add_older(value, shape, wording, messages::enum_values(shape.values));
      return;
    }
    std::string text = messages::hidden_enum(shape.current_values);
    if (wording == Wording::kCurrentEnum) {
      add(std::move(text));
    } else {
      alone_ =
          wording == Wording::kCurrentEnumAlone ? std::string(kOneValidationError) + text : text;
    }
  }

  void value(Value value, const Shape& shape, Wording wording) {
    if (full()) return;
    own_constraints(value, shape, wording);
    if (shape.kind == Kind::kStructure) {
      structure(value, shape);
    } else if (shape.kind == Kind::kList) {
      list_elements(value, shape);
    } else if (shape.kind == Kind::kMap) {
      map_values(value, shape, wording);
    }
  }

  void check_pattern(std::string_view text, Value value, const Shape& shape, Wording wording) {
    if (!matches_pattern(text, shape)) add_older(value, shape, wording, pattern_words(shape));
  }

  void own_constraints(Value value, const Shape& shape, Wording wording) {
    if (shape.kind == Kind::kString) {
      const std::string_view text = value.string();
      if (!shape.accepts_arn) check_pattern(text, value, shape, wording);
      if (!is_enum_value(text, shape)) enum_violation(value, shape, wording);
    }
    const bool current_minimum =
        wording == Wording::kCurrentMinimum || wording == Wording::kCurrentRange;
    if (below_minimum(value, shape)) {
      range_violation(value, shape, wording, current_minimum, minimum_words(shape));
    } else if (above_maximum(value, shape)) {
      const bool current_maximum =
          wording == Wording::kCurrentMaximum || wording == Wording::kCurrentRange;
      range_violation(value, shape, wording, current_maximum, maximum_words(shape));
    }
    // The length of a TableName is reported first (as captured from AWS, October 2026).
    if (shape.accepts_arn) check_pattern(value.string(), value, shape, wording);
    if (shape.kind != Kind::kMap) return;
    if (!keys_satisfy(value, shape)) {
      add_older(value, shape, wording, messages::map_keys(constraint_list(*shape.key)));
    }
  }

  void list_elements(Value value, const Shape& shape) {
    std::size_t number = 0;
    for (const Value element : value.array()) {
      ++number;
      if (full()) return;
      path_.push_back({Step::Kind::kListElement, {}, number});
      element_of(element, *shape.element);
      path_.pop_back();
    }
  }

  void map_values(Value value, const Shape& shape, Wording wording) {
    const Shape& element = *shape.element;
    for (const json::Member member : value.object()) {
      if (full()) return;
      // A list as a map value is reported with the map itself.
      if (element.kind == Kind::kList && !member.value.is_null() &&
          !satisfies(member.value, element)) {
        add_older(value, shape, wording, messages::map_values(constraint_list(element)));
        return;
      }
      path_.push_back({Step::Kind::kMapValue, member.name, 0});
      element_of(member.value, element);
      path_.pop_back();
    }
  }

  void element_of(Value element, const Shape& shape) {
    if (!element.is_null()) {
      value(element, shape, Wording::kOlder);
    } else if (shape.kind != Kind::kAttributeValue) {
      add_null();
    }
  }

  // keySchema.1.member.attributeName, requestItems.books.member.keys; the current generation writes
  // member names as in the request.
  std::string older_path() const { return path(true); }
  std::string current_path() const { return path(false); }

  std::string path(bool lower_first) const {
    std::string out;
    for (const Step& step : path_) {
      if (!out.empty()) out += '.';
      if (step.kind == Step::Kind::kListElement) {
        out += std::to_string(step.number) + ".member";
      } else if (step.kind == Step::Kind::kMapValue) {
        out += std::string(step.name) + ".member";
      } else {
        out += step.name;
        char& first = out[out.size() - step.name.size()];
        if (lower_first && first >= 'A' && first <= 'Z') first = static_cast<char>(first + 32);
      }
    }
    return out;
  }

  const bool older_;
  std::vector<Step> path_;
  std::vector<std::string> problems_;
  std::string alone_;        // a whole message that replaces all others
  std::string last_resort_;  // a problem that any other problem hides
};

}  // namespace

std::string joined_violations(std::span<const std::string> problems) {
  if (problems.size() == 1) return std::string(kOneValidationError) + problems.front();
  std::string all;
  for (const std::string& problem : problems) {
    if (!all.empty()) all += "; ";
    all += problem;
  }
  return messages::several_violations(problems.size(), all);
}

std::string describe_violations(Value body, const Shape& shape, bool older_dialect) {
  for (const MemberShape& member : shape.members) {
    if (member.required != Required::kNamed) continue;
    const Value value = body.object().find(member.name);
    if (!value || value.is_null()) {
      return messages::missing_parameter(member.name);
    }
  }
  Report report(older_dialect || !shape.current_generation);
  report.structure(body, shape);
  return report.message();
}

}  // namespace magneto::api
