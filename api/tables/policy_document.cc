#include "api/tables/policy_document.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "api/error.h"
#include "api/json/json_buffer.h"
#include "api/json/json_reader.h"
#include "api/json/json_writer.h"
#include "api/messages/policy_messages.h"

namespace magneto::api {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::string_view kMembers[] = {"Version", "Id", "Statement"};
// In the order of the returned policy.
constexpr std::string_view kStatementMembers[] = {"Sid",          "Effect",      "Principal",
                                                  "NotPrincipal", "Action",      "NotAction",
                                                  "Resource",     "NotResource", "Condition"};
constexpr std::string_view kStreamActions[] = {"describestream", "getrecords", "getsharditerator"};

[[noreturn]] void fail(std::string_view what) { fail_validation(messages::invalid_policy(what)); }

[[noreturn]] void fail_syntax() { fail(messages::kPolicySyntax); }

void check_names(json::Object object, Names known) {
  absl::flat_hash_set<std::string_view> seen;
  for (const json::Member member : object) {
    if (std::ranges::find(known, member.name) == known.end()) {
      fail(messages::unknown_policy_field(member.name));
    }
    if (!seen.insert(member.name).second) fail(messages::repeated_policy_field(member.name));
  }
}

std::string in_lower_case(std::string_view text) {
  std::string lower;
  for (const char letter : text) lower += absl::ascii_tolower(static_cast<unsigned char>(letter));
  return lower;
}

// Accepts a string or a list of strings.
std::vector<std::string_view> strings_of(json::Value value) {
  std::vector<std::string_view> strings;
  if (value.is_string()) {
    strings.push_back(value.string());
  } else if (value.is_array()) {
    for (const json::Value element : value.array()) {
      if (!element.is_string()) fail_syntax();
      strings.push_back(element.string());
    }
  }
  if (strings.empty()) fail_syntax();
  return strings;
}

template <typename Strings>
void write_strings(const Strings& strings, json::Writer& writer) {
  if (strings.size() == 1) {
    writer.string(strings.front());
    return;
  }
  writer.begin_array();
  for (const std::string_view text : strings) writer.string(text);
  writer.end_array();
}

// The row and column behind the last character: the place of the missing text.
std::string end_of(std::string_view text) {
  const std::size_t row = 1 + static_cast<std::size_t>(std::ranges::count(text, '\n'));
  const std::size_t line = text.rfind('\n');
  const std::size_t column = line == std::string_view::npos ? text.size() : text.size() - line - 1;
  return messages::policy_syntax_error(row, column + 1);
}

class Statement {
 public:
  Statement(json::Object members, PolicySubject subject) : members_(members), subject_(subject) {
    check_names(members, kStatementMembers);
  }

  std::string_view sid() const { return members_.find("Sid").string(); }

  void write(json::Writer& writer) {
    writer.begin_object();
    if (const json::Value sid = members_.find("Sid")) {
      if (!sid.is_string()) fail_syntax();
      writer.text("Sid", sid.string());
    }
    write_effect(writer);
    write_either("Principal", "NotPrincipal", writer, &Statement::write_principal);
    check_relative_ids();
    write_either("Action", "NotAction", writer, &Statement::write_actions);
    write_either("Resource", "NotResource", writer, &Statement::write_resources);
    if (const json::Value condition = members_.find("Condition")) {
      writer.key("Condition");
      write_condition(condition, writer);
    }
    writer.end_object();
    if (is_open_to_all_) fail_validation(messages::kUnboundedPolicy);
  }

 private:
  void write_effect(json::Writer& writer) {
    const json::Value effect = members_.find("Effect");
    if (!effect) fail(messages::missing_policy_field("Effect"));
    const std::string text = in_lower_case(effect.string());
    if (text != "allow" && text != "deny") fail(messages::invalid_policy_effect(effect.string()));
    allows_ = text == "allow";
    writer.text("Effect", allows_ ? "Allow" : "Deny");
  }

  void write_either(std::string_view name, std::string_view negation, json::Writer& writer,
                    void (Statement::*write_value)(json::Value value, json::Writer& writer)) {
    const json::Value given = members_.find(name);
    const json::Value negated = members_.find(negation);
    if (!given && !negated) fail(messages::missing_policy_field(name));
    if (given && negated) fail_syntax();
    writer.key(given ? name : negation);
    (this->*write_value)(given ? given : negated, writer);
  }

  void write_principal(json::Value value, json::Writer& writer) {
    if (value.is_string()) {
      if (value.string() != "*") fail_syntax();
      record_everybody();
      writer.string("*");
      return;
    }
    static constexpr std::string_view kKinds[] = {"AWS", "Service", "Federated", "CanonicalUser"};
    const json::Object kinds = value.object();
    if (kinds.empty()) fail_syntax();
    check_names(kinds, kKinds);
    writer.begin_object();
    for (const json::Member kind : kinds) {
      writer.key(kind.name);
      write_principals(kind, writer);
    }
    writer.end_object();
  }

  void write_principals(const json::Member& kind, json::Writer& writer) {
    std::vector<std::string> principals;
    absl::flat_hash_set<std::string> seen;
    for (const std::string_view given : strings_of(kind.value)) {
      if (given.empty()) fail_validation(messages::kInvalidPrincipal);
      std::string principal = kind.name == "AWS" ? aws_principal(given) : std::string(given);
      if (seen.insert(principal).second) principals.push_back(std::move(principal));
    }
    write_strings(principals, writer);
  }

  std::string aws_principal(std::string_view given) {
    constexpr std::size_t kAccountDigits = 12;
    if (given == "*") {
      record_everybody();
      return "*";
    }
    if (given.size() == kAccountDigits && std::ranges::all_of(given, absl::ascii_isdigit)) {
      return std::string("arn:aws:iam::").append(given).append(":root");
    }
    if (!given.starts_with("arn:")) fail_validation(messages::kInvalidPrincipal);
    return std::string(given);
  }

  // Records that everybody is allowed, without a condition.
  void record_everybody() {
    if (allows_ && members_.find("Principal") && !members_.find("Condition")) {
      is_open_to_all_ = true;
    }
  }

  void write_actions(json::Value value, json::Writer& writer) {
    const std::vector<std::string_view> actions = strings_of(value);
    std::vector<std::string_view> wrong;
    for (const std::string_view action : actions) {
      if (!is_action(action)) wrong.push_back(action);
    }
    if (!wrong.empty()) fail(messages::invalid_policy_actions(wrong));
    write_strings(actions, writer);
  }

  bool is_action(std::string_view action) const {
    constexpr std::string_view kService = "dynamodb:";
    if (action == "*") return true;
    std::string name = in_lower_case(action);
    if (!name.starts_with(kService)) return false;
    name.erase(0, kService.size());
    const bool has_name = !name.empty() && std::ranges::all_of(name, [](char letter) {
      return absl::ascii_isalnum(static_cast<unsigned char>(letter)) || letter == '*' ||
             letter == '?';
    });
    if (!has_name || name == "liststreams") return false;
    if (name.find_first_of("*?") != std::string::npos) return true;
    const bool is_of_streams = std::ranges::find(kStreamActions, name) != std::end(kStreamActions);
    const bool is_of_policies = name.ends_with("resourcepolicy");
    return subject_ == PolicySubject::kStream ? is_of_streams || is_of_policies : !is_of_streams;
  }

  void write_resources(json::Value value, json::Writer& writer) {
    const std::vector<std::string_view> resources = strings_of(value);
    for (const std::string_view resource : resources) {
      if (resource != "*" && !resource.starts_with("arn:")) {
        fail(messages::invalid_policy_resource(resource));
      }
    }
    write_strings(resources, writer);
  }

  // AWS checks resources before actions.
  void check_relative_ids() const {
    const json::Value given = members_.find("Resource");
    const json::Value resources = given ? given : members_.find("NotResource");
    if (!resources) return;
    for (const std::string_view resource : strings_of(resources)) check_relative_id(resource);
  }

  // A policy of a table may name any table, but no stream. A policy of a stream may name streams
  // and patterns.
  void check_relative_id(std::string_view resource) const {
    constexpr std::string_view kTable = ":table/";
    if (!resource.starts_with("arn:aws:dynamodb:")) return;
    const std::size_t table = resource.find(kTable);
    if (table == std::string_view::npos) return;
    const std::string_view id = resource.substr(table + 1);
    const bool names_stream = id.find("/stream/") != std::string_view::npos;
    const bool is_pattern = id.find_first_of("*?") != std::string_view::npos;
    const bool is_of_streams = subject_ == PolicySubject::kStream;
    if (names_stream == is_of_streams || (is_of_streams && is_pattern)) return;
    fail(messages::foreign_policy_resource(id, resource));
  }

  // {"StringEquals": {"aws:PrincipalAccount": "123456789012"}}
  static void write_condition(json::Value condition, json::Writer& writer) {
    if (!condition.is_object()) fail_syntax();
    writer.begin_object();
    for (const json::Member test : condition.object()) {
      if (!test.value.is_object()) fail_syntax();
      writer.escaped_key(test.name);
      writer.begin_object();
      for (const json::Member key : test.value.object()) {
        writer.escaped_key(key.name);
        write_condition_values(key.value, writer);
      }
      writer.end_object();
    }
    writer.end_object();
  }

  static void write_condition_values(json::Value value, json::Writer& writer) {
    if (!value.is_array()) {
      write_condition_value(value, writer);
      return;
    }
    const json::Array list = value.array();
    if (list.size() == 1) {
      write_condition_value(*list.begin(), writer);
      return;
    }
    writer.begin_array();
    for (const json::Value element : list) write_condition_value(element, writer);
    writer.end_array();
  }

  static void write_condition_value(json::Value value, json::Writer& writer) {
    if (value.is_array() || value.is_object() || value.is_null()) fail_syntax();
    json::append_compact(value, writer.raw());
  }

  json::Object members_;
  PolicySubject subject_;
  bool allows_ = false;
  bool is_open_to_all_ = false;
};

void write_statements(json::Value given, PolicySubject subject, json::Writer& writer) {
  std::vector<json::Object> statements;
  if (given.is_object()) {
    statements.push_back(given.object());
  } else if (given.is_array()) {
    for (const json::Value element : given.array()) {
      if (!element.is_object()) fail_syntax();
      statements.push_back(element.object());
    }
  } else {
    fail_syntax();
  }
  if (statements.empty()) fail(messages::kNoPolicyStatement);
  absl::flat_hash_set<std::string_view> sids;
  writer.begin_array();
  for (const json::Object members : statements) {
    Statement statement(members, subject);
    if (!statement.sid().empty() && !sids.insert(statement.sid()).second) {
      fail(messages::kRepeatedSid);
    }
    statement.write(writer);
  }
  writer.end_array();
}

}  // namespace

std::string canonical_policy(std::string_view text, PolicySubject subject) {
  if (text.size() > kMaxPolicySize) {
    fail_validation(messages::policy_too_large(kMaxPolicySize));
  }
  json::Document document;
  std::string padded(text);
  const std::optional<json::Value> value = document.parse(padded);
  if (!value) fail(messages::kPolicyNotJson);
  if (value->is_null()) fail(messages::kNotAPolicy);
  if (!value->is_object()) fail(messages::kPolicyNotJson);
  const json::Object members = value->object();
  check_names(members, kMembers);
  const json::Value statement = members.find("Statement");
  if (!statement) fail(end_of(text));
  const json::Value version = members.find("Version");
  if (version && version.string() != "2012-10-17" && version.string() != "2008-10-17") {
    fail(messages::kPolicyVersion);
  }
  std::string canonical;
  json::Writer writer(canonical);
  writer.begin_object();
  if (version) writer.text("Version", version.string());
  if (const json::Value id = members.find("Id")) {
    if (!id.is_string()) fail_syntax();
    writer.text("Id", id.string());
  }
  writer.key("Statement");
  write_statements(statement, subject, writer);
  writer.end_object();
  return canonical;
}

}  // namespace magneto::api
