#include "storage/background/index_replicator.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "storage/messages/background_messages.h"

namespace magneto::storage {
namespace {

constexpr std::chrono::milliseconds kPollInterval{2};
// Without work for so many polls the thread sleeps until a push wakes it, which costs the writer a
// system call; while it polls, a push costs none.
constexpr int kIdlePolls = 100;

}  // namespace

IndexReplicator::IndexReplicator(ChangeLog& log, const Clock& clock,
                                 std::optional<std::chrono::milliseconds> delay,
                                 ReportWarning report)
    : log_(log),
      clock_(clock),
      delay_(delay),
      idle_steps_(kIdlePolls),
      thread_(std::string(messages::kGlobalIndexes), std::move(report),
              [this](const std::stop_token& stop) { return step(stop); }) {}

void IndexReplicator::try_to_settle(IndexApplier& applier) {
  try {
    applier.settle();
  } catch (const EngineError& error) {
    thread_.report(error);
  }
}

void IndexReplicator::try_to_settle_all() {
  try {
    settle_all();
  } catch (const EngineError& error) {
    thread_.report(error);
  }
}

// One that fails takes no other's turn: the first failure is thrown after the last.
void IndexReplicator::for_each_busy(absl::FunctionRef<void(IndexApplier&)> action) {
  std::exception_ptr failure;
  for (const auto& applier : log_.busy()) {
    try {
      action(*applier);
    } catch (...) {
      if (failure == nullptr) failure = std::current_exception();
    }
  }
  if (failure != nullptr) std::rethrow_exception(failure);
}

void IndexReplicator::settle_all() {
  for_each_busy([](IndexApplier& applier) { applier.settle(); });
  log_.trim();
}

void IndexReplicator::wait_for(IndexApplier& applier, const std::stop_token& stop) {
  if (!delay_) return applier.settle();
  const std::uint64_t target = applier.pushed();
  Pause pause;
  while (applier.applied() < target && !stop.stop_requested()) pause.rest(kPollInterval, stop);
}

void IndexReplicator::wait_for_all(const std::stop_token& stop) {
  for_each_busy([&](IndexApplier& applier) { wait_for(applier, stop); });
}

std::chrono::milliseconds IndexReplicator::step(const std::stop_token& stop) {
  if (idle_steps_ > kIdlePolls && log_.busy().empty()) {
    log_.wait_for_change(stop);
    idle_steps_ = 0;
    if (stop.stop_requested()) return kPollInterval;
  }
  ++idle_steps_;
  const bool applied = apply_some_of_each();
  if (applied) idle_steps_ = 0;
  log_.allow_positions();
  if (!applied) {
    log_.trim();
    return kPollInterval;
  }
  // Readers go first; and a chunk that is full costs less for each change.
  const std::vector<std::shared_ptr<IndexApplier>> busy = log_.busy();
  const bool goes_on = std::ranges::any_of(busy, [](const auto& applier) {
    return applier->pushed() - applier->applied() >= IndexApplier::kChangesOfAChunk &&
           !applier->has_readers();
  });
  return goes_on ? std::chrono::milliseconds(0) : kPollInterval;
}

bool IndexReplicator::apply_some_of_each() {
  const auto made_before = delay_ ? std::optional(clock_.now() - *delay_) : std::nullopt;
  bool applied = false;
  for_each_busy(
      [&](IndexApplier& applier) { applied = applier.apply_some(made_before) || applied; });
  return applied;
}

}  // namespace magneto::storage
