#include "api/access/policy.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "api/access/policy_error.h"
#include "api/access/texts.h"
#include "api/messages/access_messages.h"

namespace magneto::api::access {
namespace {

constexpr std::string_view kNewVersion = "2012-10-17";
constexpr std::string_view kOldVersion = "2008-10-17";

[[noreturn]] void refuse_policy(std::string_view place, std::string_view problem) {
  throw PolicyError(messages::at_place(place, problem));
}

void check_names(json::Object object, std::initializer_list<std::string_view> known,
                 std::string_view place) {
  std::vector<std::string_view> seen;
  for (const json::Member member : object) {
    if (std::ranges::find(known, member.name) == known.end()) {
      refuse_policy(place, messages::unknown_member(member.name));
    }
    if (std::ranges::find(seen, member.name) != seen.end()) {
      refuse_policy(place, messages::repeated_member(member.name));
    }
    seen.push_back(member.name);
  }
}

std::string text_of(json::Value value) {
  if (value.is_string()) return std::string(value.string());
  std::string text;
  json::append_compact(value, text);
  return text;
}

bool is_scalar(json::Value value) {
  return !value.is_array() && !value.is_object() && !value.is_null();
}

// Reads one text or a list of texts.
std::vector<std::string> texts_of(json::Value value, std::string_view place) {
  std::vector<std::string> texts;
  if (is_scalar(value)) {
    texts.push_back(text_of(value));
  } else if (value.is_array()) {
    for (const json::Value element : value.array()) {
      if (!is_scalar(element)) refuse_policy(place, messages::kNotTexts);
      texts.push_back(text_of(element));
    }
  } else {
    refuse_policy(place, messages::kNotTexts);
  }
  return texts;
}

// nullopt if the condition does not accept the value.
std::optional<Condition> make_condition(std::string_view operation, const json::Member& key,
                                        bool has_variables, std::string_view place,
                                        bool is_strict) {
  try {
    auto made = Condition::make(operation, key.name, texts_of(key.value, place), has_variables);
    if (!made && is_strict) refuse_policy(place, messages::unknown_operator(operation));
    return made;
  } catch (const PolicyError& error) {
    if (!is_strict) return std::nullopt;
    if (std::string_view(error.what()).starts_with(place)) throw;
    refuse_policy(place, error.what());
  }
}

}  // namespace

class Policy::StatementReader {
 public:
  StatementReader(json::Value value, Kind kind, bool has_variables, std::string place)
      : kind_(kind), has_variables_(has_variables), place_(std::move(place)) {
    if (!value.is_object()) refuse_policy(place_, messages::kNotAnObject);
    members_ = value.object();
    check_names(members_,
                {"Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction", "Resource",
                 "NotResource", "Condition"},
                place_);
  }

  Statement read(std::size_t number) {
    Statement statement;
    const std::string_view sid = members_.find("Sid").string();
    statement.name = sid.empty() ? joined("#", std::to_string(number)) : std::string(sid);
    read_effect(statement);
    read_principal(statement);
    statement.negates_actions = choose("Action", "NotAction");
    read_actions(statement);
    statement.negates_resources = choose("Resource", "NotResource");
    for (const std::string& text : texts_of(chosen_, at(chosen_name_))) {
      if (text != "*" && !text.starts_with("arn:") && is_strict()) {
        refuse_policy(at(chosen_name_), messages::not_a_resource(text));
      }
      statement.resources.emplace_back(
          text, PatternSyntax{.wildcards = true, .variables = has_variables_});
    }
    if (const json::Value condition = members_.find("Condition")) {
      read_conditions(condition, statement);
    }
    return statement;
  }

 private:
  bool is_strict() const { return kind_ == Kind::kIdentity; }
  std::string at(std::string_view member) const { return joined(place_, ".", member); }

  void read_effect(Statement& statement) const {
    const std::string_view effect = members_.find("Effect").string();
    statement.allows = is_equal_but_for_case(effect, "Allow");
    if (!statement.allows && !is_equal_but_for_case(effect, "Deny")) {
      refuse_policy(at("Effect"), messages::kWrongEffect);
    }
  }

  void read_principal(Statement& statement) {
    const json::Value given = members_.find("Principal");
    const json::Value negated = members_.find("NotPrincipal");
    if (kind_ == Kind::kIdentity) {
      if (given || negated) refuse_policy(place_, messages::kPrincipalOfIdentity);
      return;
    }
    if (static_cast<bool>(given) == static_cast<bool>(negated)) {
      refuse_policy(place_, messages::one_of_two("Principal", "NotPrincipal"));
    }
    // A Deny that excepts an account must also except its users by name (AWS, "NotPrincipal").
    const auto negation = statement.allows ? PrincipalPattern::Kind::kAllButNamed
                                           : PrincipalPattern::Kind::kAllButItself;
    statement.principal = given ? PrincipalPattern::read(given, PrincipalPattern::Kind::kNamed)
                                : PrincipalPattern::read(negated, negation);
  }

  // Finds which of two members is present; true if it is the second.
  bool choose(std::string_view name, std::string_view negation) {
    const json::Value given = members_.find(name);
    const json::Value negated = members_.find(negation);
    if (static_cast<bool>(given) == static_cast<bool>(negated)) {
      refuse_policy(place_, messages::one_of_two(name, negation));
    }
    chosen_ = given ? given : negated;
    chosen_name_ = given ? name : negation;
    return static_cast<bool>(negated);
  }

  void read_actions(Statement& statement) const {
    for (const std::string& text : texts_of(chosen_, at(chosen_name_))) {
      if (text != "*" && text.find(':') == std::string::npos) {
        refuse_policy(at(chosen_name_), messages::not_an_action(text));
      }
      statement.actions.emplace_back(text, PatternSyntax{.wildcards = true, .ignores_case = true});
    }
  }

  void read_conditions(json::Value condition, Statement& statement) const {
    if (!condition.is_object()) refuse_policy(at("Condition"), messages::kNotAnObject);
    for (const json::Member test : condition.object()) {
      const std::string place = at(joined("Condition.", test.name));
      if (!test.value.is_object()) refuse_policy(place, messages::kNotAnObject);
      for (const json::Member key : test.value.object()) {
        auto made = make_condition(test.name, key, has_variables_, place, is_strict());
        statement.is_readable = statement.is_readable && made.has_value();
        if (made) statement.conditions.push_back(*std::move(made));
      }
    }
  }

  const Kind kind_;
  const bool has_variables_;
  const std::string place_;
  json::Object members_;
  json::Value chosen_;
  std::string_view chosen_name_;
};

Policy Policy::read(json::Value document, Kind kind, std::string name) {
  if (!document.is_object()) refuse_policy("", messages::kNotAnObject);
  const json::Object members = document.object();
  check_names(members, {"Version", "Id", "Statement"}, "");
  const json::Value given = members.find("Version");
  const std::string_view version = given ? given.string() : kOldVersion;
  if (version != kNewVersion && version != kOldVersion)
    refuse_policy("Version", messages::kWrongVersion);
  const json::Value statements = members.find("Statement");
  Policy policy;
  policy.name_ = std::move(name);
  const auto add = [&](json::Value statement, std::string place) {
    StatementReader reader(statement, kind, version == kNewVersion, std::move(place));
    policy.statements_.push_back(reader.read(policy.statements_.size() + 1));
  };
  if (statements.is_object()) {
    add(statements, "Statement");
  } else {
    for (const json::Value statement : statements.array()) {
      add(statement, joined("Statement[", std::to_string(policy.statements_.size()), "]"));
    }
  }
  if (policy.statements_.empty()) refuse_policy("Statement", messages::kNoStatement);
  return policy;
}

Policy Policy::read(std::string_view text, Kind kind, std::string name) {
  json::Document document;
  std::string padded(text);
  const std::optional<json::Value> value = document.parse(padded);
  if (!value) refuse_policy("", messages::kNotJson);
  return read(*value, kind, std::move(name));
}

Grant Policy::Statement::grant(const Attempt& attempt, Meter& meter) const {
  const auto any = [&](const std::vector<Pattern>& patterns, std::string_view text) {
    bool found = false;
    bool is_known = true;
    for (const Pattern& pattern : patterns) {
      if (found) break;
      const std::optional<bool> matches = pattern.matches(text, attempt.context, meter);
      is_known = is_known && matches.has_value();
      found = matches.value_or(false);
    }
    return std::pair(found, is_known);
  };
  const Grant grant = principal ? principal->grant(attempt.principal) : Grant::kExact;
  if (grant == Grant::kNone) return grant;
  if (any(actions, attempt.action).first == negates_actions) return Grant::kNone;
  const auto [is_named, is_known] = any(resources, attempt.resource);
  if (is_named == negates_resources || (negates_resources && !is_known)) return Grant::kNone;
  if (!is_readable) return allows ? Grant::kNone : grant;
  const bool holds = std::ranges::all_of(conditions, [&](const Condition& condition) {
    return !meter.is_over() && condition.holds(attempt.context, meter);
  });
  return holds ? grant : Grant::kNone;
}

Policy::Finding Policy::find(const Attempt& attempt, Meter& meter) const {
  Finding finding;
  for (const Statement& statement : statements_) {
    if (meter.is_over()) break;
    meter.spend(1);
    if (statement.allows && finding.grant == Grant::kExact) continue;
    const Grant grant = statement.grant(attempt, meter);
    if (grant == Grant::kNone) continue;
    if (!statement.allows) {
      finding.denied = &statement.name;
      break;
    }
    if (grant <= finding.grant) continue;
    finding.allowed = &statement.name;
    finding.grant = grant;
  }
  return finding;
}

}  // namespace magneto::api::access
