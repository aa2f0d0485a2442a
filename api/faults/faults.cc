#include "api/faults/faults.h"

#include <algorithm>
#include <utility>

#include "api/control_error.h"
#include "api/faults/draws.h"
#include "api/faults/rule_match.h"
#include "api/faults/verdict_draft.h"
#include "api/messages/control_messages.h"

namespace magneto::api {

namespace {

// The memory counted for each rule. Its text is no longer (kMaxRuleBytes).
constexpr std::size_t kRuleBytes = 8'192;

ArmedRule::Clock::time_point end_of(const FaultRule& rule) {
  return rule.lasts ? ArmedRule::Clock::now() + *rule.lasts : ArmedRule::Clock::time_point::max();
}

}  // namespace

ArmedRule::ArmedRule(std::string id, FaultRule rule)
    : id_(std::move(id)),
      rule_(std::move(rule)),
      ends_(end_of(rule_)),
      memory_(SideMemory::of_process(), kRuleBytes) {}

std::optional<std::uint64_t> ArmedRule::take() {
  if (rule_.lasts && Clock::now() >= ends_) return std::nullopt;
  const std::uint64_t number = matched_.fetch_add(1, std::memory_order_relaxed);
  if (number < rule_.skip) return std::nullopt;
  if (rule_.probability < 1 && Draws(rule_.seed, number).next_part() >= rule_.probability) {
    return std::nullopt;
  }
  std::uint64_t hits = hits_.load(std::memory_order_relaxed);
  do {
    if (rule_.count && hits >= *rule_.count) return std::nullopt;
  } while (!hits_.compare_exchange_weak(hits, hits + 1, std::memory_order_relaxed));
  return number;
}

Faults& Faults::none() {
  static Faults faults;
  return faults;
}

std::string Faults::add(FaultRule rule) {
  const std::lock_guard lock(mutex_);
  if (rules_->size() >= kMaxRules) throw ControlError(messages::too_many_rules(kMaxRules), 429);
  Rules rules = *rules_;
  rules.push_back(std::make_shared<ArmedRule>("f" + std::to_string(++last_id_), std::move(rule)));
  if (!rules.back()->has_memory()) throw ControlError(messages::kNoMemoryForRule, 507);
  std::string id = rules.back()->id();
  publish(std::move(rules));
  return id;
}

void Faults::remove(std::string_view id) {
  const std::lock_guard lock(mutex_);
  Rules rules = *rules_;
  if (std::erase_if(rules, [id](const auto& rule) { return rule->id() == id; }) == 0) {
    throw ControlError(messages::no_rule(id), 404);
  }
  publish(std::move(rules));
}

void Faults::clear() {
  const std::lock_guard lock(mutex_);
  publish({});
}

void Faults::publish(Rules rules) {
  on_.store(!rules.empty(), std::memory_order_relaxed);
  rules_ = std::make_shared<const Rules>(std::move(rules));
}

std::shared_ptr<const Faults::Rules> Faults::rules() const {
  const std::lock_guard lock(mutex_);
  return rules_;
}

void Faults::decide(const FaultedCall& call, FaultVerdict& verdict) const {
  if (verdict.decided) return;
  struct Candidate {
    ArmedRule* rule;
    MatchedMembers members;
  };
  const std::shared_ptr<const Rules> rules = this->rules();
  std::vector<Candidate> candidates;
  for (const std::shared_ptr<ArmedRule>& rule : *rules) {
    if (auto members = match_rule(rule->rule(), call)) candidates.push_back({rule.get(), *members});
  }
  verdict.decided = true;
  VerdictDraft draft(call, verdict);
  for (const Candidate& candidate : candidates) {
    const FaultRule& rule = candidate.rule->rule();
    if (!draft.may_take(rule.fault)) continue;
    const std::optional<std::uint64_t> number = candidate.rule->take();
    if (!number) continue;
    verdict.rules.push_back(candidate.rule->id());
    draft.take(rule, candidate.members, Draws(rule.seed, *number));
  }
  verdict.delay = std::min<std::chrono::nanoseconds>(verdict.delay, kMaxDelay);
}

}  // namespace magneto::api
