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

// A rule in force, and how often it was met. Thread-safe.
class ArmedRule {
 public:
  using Clock = std::chrono::steady_clock;

  ArmedRule(std::string id, FaultRule rule);

  // False: there is no memory for it (SideMemory).
  bool has_memory() const { return memory_.is_granted(); }
  const std::string& id() const { return id_; }
  const FaultRule& rule() const { return rule_; }
  // Requests that matched since it was made, and those of them that it hit.
  std::uint64_t matched() const { return matched_.load(std::memory_order_relaxed); }
  std::uint64_t hits() const { return hits_.load(std::memory_order_relaxed); }

  // Counts one request that matches. Whether it is hit: its number among those, for Draws.
  std::optional<std::uint64_t> take();

 private:
  const std::string id_;
  const FaultRule rule_;
  const Clock::time_point ends_;
  const SideMemory::Use memory_;
  std::atomic<std::uint64_t> matched_{0};
  std::atomic<std::uint64_t> hits_{0};
};

// The call about which rules are asked.
struct FaultedCall {
  const Operation& operation;
  std::string_view access_key;
  std::span<const Subject> subjects;
  storage::Effort& effort;
};

// What is to go wrong, by rules, which are asked in the order in which they were made: latencies
// add up, of everything else the first rule that hits counts, and those behind it are not asked.
// Thread-safe; requests see a change of the rules as a whole.
class Faults {
 public:
  static constexpr std::size_t kMaxRules = 1'000;
  static constexpr std::chrono::minutes kMaxDelay{15};  // of one answer, however many rules hit
  using Rules = std::vector<std::shared_ptr<ArmedRule>>;

  Faults() = default;
  Faults(const Faults&) = delete;
  Faults& operator=(const Faults&) = delete;

  // For who has no faults: it never has a rule.
  static Faults& none();

  // While it is off nothing else is to be called for a request.
  bool is_on() const { return on_.load(std::memory_order_relaxed); }

  // Gives back the rule's id. Throws DialError when there are too many (429), or no memory (507).
  std::string add(FaultRule rule);
  // Throws DialError (404) when there is no such rule.
  void remove(std::string_view id);
  void clear();
  // In the order in which they were made.
  std::shared_ptr<const Rules> rules() const;

  // Asks the rules, unless the verdict is decided. Throws NeedsWorker when matching takes long; no
  // rule has counted anything then.
  void decide(const FaultedCall& call, FaultVerdict& verdict) const;

 private:
  void publish(Rules rules);  // with the mutex

  mutable std::mutex mutex_;  // of what follows
  std::shared_ptr<const Rules> rules_ = std::make_shared<const Rules>();
  std::uint64_t last_id_ = 0;

  std::atomic<bool> on_{false};
};

}  // namespace magneto::api
