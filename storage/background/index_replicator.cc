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
    : log_(log), clock_(clock), delay_(delay), report_(std::move(report)) {}

IndexReplicator::~IndexReplicator() { stop(); }

void IndexReplicator::start() {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void IndexReplicator::stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void IndexReplicator::report_failure(const std::exception& error) const {
  report_(messages::tried_again(messages::kGlobalIndexes, error.what()));
}

void IndexReplicator::try_to_settle(IndexApplier& applier) {
  try {
    applier.settle();
  } catch (const EngineError& error) {
    report_failure(error);
  }
}

void IndexReplicator::try_to_settle_all() {
  try {
    settle_all();
  } catch (const EngineError& error) {
    report_failure(error);
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
  std::unique_lock lock(pause_mutex_);
  while (applier.applied() < target && !stop.stop_requested()) {
    pause_.wait_for(lock, stop, kPollInterval, [] { return false; });
  }
}

void IndexReplicator::wait_for_all(const std::stop_token& stop) {
  for_each_busy([&](IndexApplier& applier) { wait_for(applier, stop); });
}

void IndexReplicator::run(const std::stop_token& stop) {
  int idle = kIdlePolls;
  while (!stop.stop_requested()) {
    bool applied = false;
    std::chrono::milliseconds pause = kPollInterval;
    try {
      applied = apply_some_of_each();
      log_.allow_positions();
      if (!applied) log_.trim();
    } catch (const std::exception& error) {
      report_failure(error);
      pause = Worker::kRetryDelay;
    }
    idle = applied ? 0 : idle + 1;
    const std::vector<std::shared_ptr<IndexApplier>> busy = log_.busy();
    if (idle > kIdlePolls && busy.empty()) {
      log_.wait_for_change(stop);
      idle = 0;
      continue;
    }
    // Readers go first; and a chunk that is full costs less for each change.
    const bool goes_on =
        applied && std::ranges::any_of(busy, [](const auto& applier) {
          return applier->pushed() - applier->applied() >= IndexApplier::kChangesOfAChunk &&
                 !applier->has_readers();
        });
    if (!goes_on) {
      std::unique_lock lock(pause_mutex_);
      pause_.wait_for(lock, stop, pause, [] { return false; });
    }
  }
}

bool IndexReplicator::apply_some_of_each() {
  const auto made_before = delay_ ? std::optional(clock_.now() - *delay_) : std::nullopt;
  bool applied = false;
  for_each_busy(
      [&](IndexApplier& applier) { applied = applier.apply_some(made_before) || applied; });
  return applied;
}

}  // namespace magneto::storage
