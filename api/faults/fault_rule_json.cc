#include "api/faults/fault_rule_json.h"

#include <algorithm>
#include <random>
#include <utility>

#include "api/control_error.h"
#include "api/faults/fault_json.h"
#include "api/faults/rule_match.h"
#include "api/json/strict_object.h"
#include "api/messages/control_messages.h"

namespace magneto::api {
namespace {

constexpr std::string_view kWhereInRule = "the rule";
constexpr std::string_view kRuleMembers[] = {"operations", "table",       "index", "key",
                                             "access_key", "probability", "seed",  "skip",
                                             "count",      "for",         "fault"};
constexpr std::size_t kMaxOperations = 100;
constexpr std::size_t kMaxRuleName = 255;
constexpr std::size_t kMaxKeyAttributes = 8;
constexpr std::size_t kMaxPattern = 256;
constexpr std::int64_t kMostRequests = 1'000'000'000'000;
// The largest integer that every JSON reader represents exactly.
constexpr std::int64_t kMostSeed = (std::int64_t{1} << 53) - 1;
constexpr std::chrono::hours kLongest{24 * 365};

std::int64_t random_seed() {
  std::random_device source;
  return static_cast<std::int64_t>((std::uint64_t{source()} << 32 | source()) &
                                   static_cast<std::uint64_t>(kMostSeed));
}

std::vector<const Operation*> read_operations(json::Value list) {
  std::vector<const Operation*> operations;
  if (!list) return operations;
  for (const json::Value name : list.array()) {
    const Operation* const operation = find_operation(name.string());
    if (operation == nullptr) throw ControlError(messages::unknown_operation(name.string()));
    operations.push_back(operation);
  }
  if (operations.empty() || operations.size() > kMaxOperations) {
    throw ControlError(messages::not_a_list("operations", kMaxOperations));
  }
  return operations;
}

std::vector<KeyPattern> read_key(json::Value key) {
  std::vector<KeyPattern> patterns;
  if (!key) return patterns;
  for (const json::Member member : key.object()) {
    const std::string_view pattern = member.value.string();
    if (pattern.empty() || pattern.size() > kMaxPattern || member.name.empty() ||
        member.name.size() > kMaxRuleName) {
      throw ControlError(messages::not_a_text(member.name.substr(0, kMaxRuleName), kMaxPattern));
    }
    patterns.push_back({std::string(member.name), std::string(pattern)});
  }
  if (patterns.empty()) throw ControlError(messages::kKeyWithoutAttributes);
  if (patterns.size() > kMaxKeyAttributes) {
    throw ControlError(messages::not_a_list("key", kMaxKeyAttributes));
  }
  return patterns;
}

// The members as given, except the seed, which is written together with the counts.
std::string inside_of(json::Object rule) {
  std::string text;
  for (const json::Member member : rule) {
    if (member.name == "seed") continue;
    if (!text.empty()) text += ',';
    json::append_string(text, member.name);
    text += ':';
    json::append_compact(member.value, text);
  }
  if (text.size() > kMaxRuleBytes) throw ControlError(messages::long_rule(kMaxRuleBytes));
  return text;
}

void check_operations(const FaultRule& rule) {
  for (const Operation* const operation : rule.operations) {
    if (may_happen(rule.fault, *operation)) continue;
    const bool is_error = std::holds_alternative<InjectedError>(rule.fault);
    throw ControlError(messages::not_of_operation(
        is_error ? "TransactionCanceledException" : "'unprocessed'", operation->name));
  }
}

}  // namespace

std::span<const std::string_view> fault_rule_members() { return kRuleMembers; }

FaultRule read_fault_rule(json::Object given) {
  const json::StrictObject members(given, kWhereInRule, kRuleMembers);
  FaultRule rule;
  rule.json = inside_of(given);
  rule.operations = read_operations(members.value("operations"));
  rule.table = members.string("table", kMaxRuleName).value_or("");
  rule.index = members.string("index", kMaxRuleName).value_or("");
  rule.key = read_key(members.value("key"));
  rule.access_key = members.string("access_key", kMaxRuleName).value_or("");
  rule.probability = members.number("probability", 0, 1).value_or(1);
  const auto seed = members.whole("seed", 0, kMostSeed);
  rule.seed = seed ? *seed : random_seed();
  rule.skip = static_cast<std::uint64_t>(members.whole("skip", 0, kMostRequests).value_or(0));
  if (const auto count = members.whole("count", 1, kMostRequests)) {
    rule.count = static_cast<std::uint64_t>(*count);
  }
  rule.lasts = members.duration("for", kLongest);
  if (!members.has("fault")) throw ControlError(messages::kNoFault);
  rule.fault = read_fault(members.value("fault"));
  check_operations(rule);
  return rule;
}

void write_fault_rules(const Faults& faults, json::Writer& writer) {
  writer.begin_array();
  const std::shared_ptr<const Faults::Rules> rules = faults.rules();
  for (const std::shared_ptr<ArmedRule>& rule : *rules) {
    writer.begin_object();
    writer.text("id", rule->id());
    writer.raw() += rule->rule().json;
    writer.integer("seed", rule->rule().seed);
    writer.integer("matched", static_cast<std::int64_t>(rule->matched()));
    writer.integer("hits", static_cast<std::int64_t>(rule->hits()));
    writer.end_object();
  }
  writer.end_array();
}

}  // namespace magneto::api
