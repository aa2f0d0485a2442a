#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/fault_verdict.h"
#include "api/faults/fault_rule.h"
#include "api/side_memory.h"
#include "api/subjects/subject.h"
#include "storage/model/effort.h"

namespace magneto::api {

// An active rule, with counts of its matches and hits. Thread-safe.
class ArmedRule {
 public:
  using Clock = std::chrono::steady_clock;

  ArmedRule(std::string id, FaultRule rule);

  // False if there was no memory for it (SideMemory).
  bool has_memory() const { return memory_.is_granted(); }
  const std::string& id() const { return id_; }
  const FaultRule& rule() const { return rule_; }
  // Requests that matched since the rule was made, and those among them that it hit.
  std::uint64_t matched() const { return matched_.load(std::memory_order_relaxed); }
  std::uint64_t hits() const { return hits_.load(std::memory_order_relaxed); }

  // Counts one matching request. If the rule hits it, returns its number among the matching
  // requests, for Draws.
  std::optional<std::uint64_t> take();

 private:
  const std::string id_;
  const FaultRule rule_;
  const Clock::time_point ends_;
  const SideMemory::Use memory_;
  std::atomic<std::uint64_t> matched_{0};
  std::atomic<std::uint64_t> hits_{0};
};

// The call that the rules are checked against.
struct FaultedCall {
  const Operation& operation;
  std::string_view access_key;
  std::span<const Subject> subjects;
  storage::Effort& effort;
};

// Decides by rules which faults a call gets. Rules are checked in the order in which they were
// made. Latencies add up. For all other faults the first rule that hits decides, and the rules
// after it are not checked. Thread-safe; requests see a change of the rules as a whole.
class Faults {
 public:
  static constexpr std::size_t kMaxRules = 1'000;
  static constexpr std::chrono::minutes kMaxDelay{15};  // for one answer, however many rules hit
  using Rules = std::vector<std::shared_ptr<ArmedRule>>;

  Faults() = default;
  Faults(const Faults&) = delete;
  Faults& operator=(const Faults&) = delete;

  // For services without faults: this object never has a rule.
  static Faults& none();

  // While it is off, call no other function for a request.
  bool is_on() const { return on_.load(std::memory_order_relaxed); }

  // Returns the rule's id. Throws ControlError if there are too many rules (429) or no memory
  // (507).
  std::string add(FaultRule rule);
  // Throws ControlError (404) if there is no such rule.
  void remove(std::string_view id);
  void clear();
  // In the order in which they were made.
  std::shared_ptr<const Rules> rules() const;

  // Checks the rules, unless the verdict is already decided. Throws NeedsWorker if matching takes
  // long; then no rule has counted the request.
  void decide(const FaultedCall& call, FaultVerdict& verdict) const;

 private:
  void publish(Rules rules);  // requires the mutex

  mutable std::mutex mutex_;  // guards the members below
  std::shared_ptr<const Rules> rules_ = std::make_shared<const Rules>();
  std::uint64_t last_id_ = 0;

  std::atomic<bool> on_{false};
};

}  // namespace magneto::api
