#include "api/faults/rule_match.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace magneto::api {
namespace {

constexpr std::size_t kLongestKey = 2'048;  // bytes (AWS developer guide, limits)
constexpr std::uint64_t kStepsOfASubject = 20;
constexpr std::size_t kBytesOfAStep = 16;

bool matches_key(const FaultRule& rule, const Subject& subject, storage::Effort& effort) {
  return std::ranges::all_of(rule.key, [&](const KeyPattern& key) {
    effort.spend(subject.attribute_count());
    const std::optional<std::string> text = subject.key_text_of_rule(key.attribute);
    if (!text) return false;
    effort.spend(text->size() / kBytesOfAStep);
    // Longer values are not keys and are refused later.
    if (text->size() > kLongestKey) return false;
    effort.spend(text->size() + text->size() * key.pattern.size() / 16);
    return matches_pattern(*text, key.pattern);
  });
}

bool matches(const FaultRule& rule, const Subject& subject, storage::Effort& effort) {
  effort.spend(kStepsOfASubject);
  if (!rule.table.empty() && rule.table != subject.table()) return false;
  if (!rule.index.empty() && rule.index != subject.index()) return false;
  return matches_key(rule, subject, effort);
}

}  // namespace

bool may_happen(const Fault& fault, const Operation& operation) {
  const RequestForm form = operation.form;
  if (std::holds_alternative<LeftOutMembers>(fault)) {
    return form == RequestForm::kBatch || form == RequestForm::kStatements;
  }
  const auto* const error = std::get_if<InjectedError>(&fault);
  if (error == nullptr || error->type != ErrorType::kTransactionCanceled) return true;
  return form == RequestForm::kTransaction || form == RequestForm::kTransactStatements;
}

std::optional<MatchedMembers> match_rule(const FaultRule& rule, const FaultedCall& call) {
  if (!rule.operations.empty() &&
      std::ranges::find(rule.operations, &call.operation) == rule.operations.end()) {
    return std::nullopt;
  }
  if (!rule.access_key.empty() && rule.access_key != call.access_key) return std::nullopt;
  if (!may_happen(rule.fault, call.operation)) return std::nullopt;
  MatchedMembers matched;
  const bool is_for_any = rule.table.empty() && rule.index.empty() && rule.key.empty();
  for (std::size_t i = 0; i < std::min(call.subjects.size(), matched.size()); ++i) {
    if (is_for_any || matches(rule, call.subjects[i], call.effort)) matched.set(i);
  }
  if (!is_for_any && matched.none()) return std::nullopt;
  return matched;
}

}  // namespace magneto::api
