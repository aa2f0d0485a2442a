#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "api/error.h"
#include "api/messages/request_messages.h"
#include "api/messages/write_messages.h"
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

// The problems of one answer: "1 validation error detected: one", or several joined.
std::string joined(const std::vector<std::string>& problems) {
  if (problems.size() == 1) return std::string(kOneValidationError) + problems.front();
  std::string all;
  for (const std::string& problem : problems) {
    if (!all.empty()) all += "; ";
    all += problem;
  }
  return messages::several_violations(problems.size(), all);
}

// Collects the problems of a request: of all members in the order of its shape, or of single ones.
class Report {
 public:
  // With `older`, all members are reported in older words.
  explicit Report(bool older) : older_(older) {}

  void structure(Value value, const Shape& shape) {
    for (const MemberShape& member : shape.members) {
      if (full()) return;
      const bool is_of_older =
          member.wording == Wording::kNotEmpty || member.wording == Wording::kKeysLast;
      this->member(value, member, older_ && !is_of_older ? Wording::kOlder : member.wording);
    }
  }

  void member(Value structure, const MemberShape& member, Wording wording) {
    const Value found = structure.object().find(member.name);
    path_.push_back({Step::Kind::kMember, member.name, 0});
    if (found && !found.is_null()) {
      this->value(found, *member.shape, wording);
    } else if (member.required != Required::kNo) {
      add_null();
    }
    path_.pop_back();
  }

  std::string message() const {
    if (!alone_.empty()) return alone_;
    if (!problems_.empty()) return joined(problems_);
    return last_resort_.empty() ? std::string() : joined({last_resort_});
  }

  const std::vector<std::string>& problems() const { return problems_; }

 private:
  bool full() const { return problems_.size() >= kMaxProblems || !alone_.empty(); }

  void add(std::string text) { problems_.push_back(std::move(text)); }

  void add_null() { add(messages::null_at(older_path())); }

  void add_older(Value value, const Shape& shape, const std::string& words) {
    add(older_text(value, shape, words));
  }

  std::string older_text(Value value, const Shape& shape, const std::string& words) const {
    std::string echo;
    append_echo(value, shape, echo);
    return messages::value_at(echo, older_path(), words);
  }

  // kCurrentMinimum and kCurrentRange answer alone.
  void range_violation(Value value, const Shape& shape, bool current, const std::string& words) {
    if (current) {
      alone_ = joined({messages::hidden_value_at(current_path(), words)});
    } else {
      add_older(value, shape, words);
    }
  }

  void value(Value value, const Shape& shape, Wording wording) {
    if (full()) return;
    switch (wording) {
      case Wording::kNotEmpty:
      case Wording::kCurrentEmpty:
      case Wording::kName:
      case Wording::kWholeName:
        return name(value, shape, wording);
      case Wording::kHidden:
        return hidden_range(value, shape);
      case Wording::kCurrentEnum:
        if (!is_enum_value(value.string(), shape)) add(messages::hidden_enum(shape.current_values));
        return;
      case Wording::kOnlyOldValues:
        if (value.string() != "NONE" && value.string() != "ALL_OLD" &&
            is_enum_value(value.string(), shape)) {
          add(std::string(messages::kOnlyOldValues));
        }
        return;
      default:
        break;
    }
    own_constraints(value, shape, wording);
    if (shape.kind == Kind::kStructure) {
      structure(value, shape);
    } else if (shape.kind == Kind::kList) {
      list_elements(value, shape);
    } else if (shape.kind == Kind::kMap) {
      map_values(value, shape);
    }
  }

  void name(Value value, const Shape& shape, Wording wording) {
    constexpr static Shape kNotEmpty = with_min(kStringShape, 1);
    if (wording == Wording::kCurrentEmpty) return hidden_range(value, kNotEmpty);
    if (wording == Wording::kNotEmpty) return own_constraints(value, kNotEmpty, wording);
    if (wording == Wording::kWholeName) check_pattern(value.string(), value, shape);
    if (below_minimum(value, shape)) {
      add_older(value, shape, minimum_words(shape));
    } else if (above_maximum(value, shape)) {
      add_older(value, shape, maximum_words(shape));
    } else if (wording == Wording::kName) {
      check_pattern(value.string(), value, shape);
    }
  }

  void hidden_range(Value value, const Shape& shape) {
    if (below_minimum(value, shape)) {
      add(messages::hidden_value_at(current_path(), minimum_words(shape)));
    } else if (above_maximum(value, shape)) {
      add(messages::hidden_value_at(current_path(), maximum_words(shape)));
    }
  }

  void check_pattern(std::string_view text, Value value, const Shape& shape) {
    if (!matches_pattern(text, shape)) add_older(value, shape, pattern_words(shape));
  }

  void enum_violation(Value value, const Shape& shape, Wording wording) {
    std::string text = older_text(value, shape, messages::enum_values(shape.values));
    if (wording != Wording::kLastResort) {
      add(std::move(text));
    } else if (last_resort_.empty()) {
      last_resort_ = std::move(text);
    }
  }

  void own_constraints(Value value, const Shape& shape, Wording wording) {
    if (shape.kind == Kind::kString) {
      const std::string_view text = value.string();
      if (!shape.accepts_arn) check_pattern(text, value, shape);
      if (!is_enum_value(text, shape)) enum_violation(value, shape, wording);
    }
    const bool current_minimum =
        wording == Wording::kCurrentMinimum || wording == Wording::kCurrentRange;
    if (below_minimum(value, shape)) {
      range_violation(value, shape, current_minimum, minimum_words(shape));
    } else if (above_maximum(value, shape)) {
      const bool current_maximum =
          wording == Wording::kCurrentMaximum || wording == Wording::kCurrentRange;
      range_violation(value, shape, current_maximum, maximum_words(shape));
    }
    // The length of a TableName is reported first (as captured from AWS, October 2026).
    if (shape.accepts_arn) check_pattern(value.string(), value, shape);
    if (shape.kind != Kind::kMap || keys_satisfy(value, shape)) return;
    std::string text = older_text(value, shape, messages::map_keys(constraint_list(*shape.key)));
    if (wording == Wording::kKeysLast) {
      last_resort_ = std::move(text);
    } else {
      add(std::move(text));
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

  void map_values(Value value, const Shape& shape) {
    const Shape& element = *shape.element;
    for (const json::Member member : value.object()) {
      if (full()) return;
      // A list as a map value is reported with the map itself.
      if (element.kind == Kind::kList && !member.value.is_null() &&
          !satisfies(member.value, element)) {
        add_older(value, shape, messages::map_values(constraint_list(element)));
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

// The problems of the first stage that has any.
std::string describe_stages(Value body, const Shape& shape) {
  for (const CurrentStage& stage : shape.stages) {
    Report report(false);
    for (const CurrentCheck& check : stage.checks) {
      const auto member =
          std::find_if(shape.members.begin(), shape.members.end(),
                       [&check](const MemberShape& one) { return one.name == check.member; });
      report.member(body, *member, check.wording);
    }
    if (report.problems().empty()) continue;
    return stage.bare ? report.problems().front() : joined(report.problems());
  }
  return {};
}

}  // namespace

std::string joined_violations(const std::vector<std::string>& problems) { return joined(problems); }

std::string describe_violations(Value body, const Shape& shape, json::Layer layer) {
  for (const MemberShape& member : shape.members) {
    if (member.required != Required::kNamed) continue;
    const Value value = body.object().find(member.name);
    if (!value || value.is_null()) {
      return messages::missing_parameter(member.name);
    }
  }
  const bool is_older = layer == json::Layer::kOlder || !shape.current_generation;
  if (!is_older && !shape.stages.empty()) return describe_stages(body, shape);
  Report report(is_older);
  report.structure(body, shape);
  return report.message();
}

}  // namespace magneto::api
