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

constexpr std::chrono::milliseconds kReplicatorPollInterval{2};
// After this many polls without work the thread sleeps until a push wakes it, which costs the
// writer a system call. While it polls, a push costs none.
constexpr int kIdlePolls = 100;

}  // namespace

IndexReplicator::IndexReplicator(ChangeLog& log, const Clock& clock, const IndexDelay& lag,
                                 ReportWarning report, Worker* worker)
    : log_(log),
      clock_(clock),
      lag_(lag),
      idle_steps_(kIdlePolls),
      report_(std::move(report)),
      watch_(clock, [this](Clock::TimePoint before) {
        if (lag_.is_on() && log_.waiting_changes() != 0) clock_turned(before);
      }) {
  if (worker == nullptr) {
    thread_.emplace(std::string(messages::kGlobalIndexes), report_,
                    [this](const std::stop_token& stop) { return step(stop); });
    return;
  }
  task_.emplace(*worker, [this](const std::stop_token&) { take_turn(); });
  // A moment later, so that further changes need no wake-up.
  log_.on_change([this] { task_->due_after(kReplicatorPollInterval); });
}

void IndexReplicator::clock_turned(Clock::TimePoint before) {
  const Clock::TimePoint now = clock_.now();
  if (now < before) {
    for (const auto& applier : log_.busy()) applier->limit_made(now);
  }
  if (task_) task_->due_now();
}

void IndexReplicator::start() {
  if (thread_) thread_->start();
  if (task_ && !log_.rest()) task_->due_now();
}

void IndexReplicator::stop() {
  if (thread_) thread_->stop();
}

void IndexReplicator::try_to_settle(IndexApplier& applier) {
  try {
    applier.settle();
  } catch (const EngineError& error) {
    report_retry(report_, messages::kGlobalIndexes, error);
  }
}

void IndexReplicator::try_to_settle_all() {
  try {
    settle_all();
  } catch (const EngineError& error) {
    report_retry(report_, messages::kGlobalIndexes, error);
  }
}

// A failure does not stop the others: the first one is thrown after the last applier.
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
  const std::uint64_t target = applier.pushed();
  Pause pause;
  while (applier.applied() < target && !stop.stop_requested()) {
    // The lag may be changed meanwhile.
    if (!lag_.is_on() || lag_.is_held()) return applier.settle();
    pause.rest(kReplicatorPollInterval, stop);
  }
}

void IndexReplicator::lag_turned() {
  if (task_) task_->due_now();
}

void IndexReplicator::release(std::size_t changes) {
  for_each_busy([&](IndexApplier& applier) {
    for (std::size_t left = changes; left > 0;) {
      const std::size_t some = std::min(left, IndexApplier::kChangesOfAChunk);
      if (!applier.apply_some(std::nullopt, some)) return;
      left -= some;
    }
  });
}

void IndexReplicator::wait_for_all_but_held(const std::stop_token& stop) {
  if (!lag_.is_on()) return settle_all();
  Pause pause;
  for_each_busy([&](IndexApplier& applier) {
    const std::uint64_t target = applier.pushed();
    while (applier.applied() < target && !is_held(applier) && !stop.stop_requested()) {
      pause.rest(kReplicatorPollInterval, stop);
    }
  });
}

bool IndexReplicator::is_held(const IndexApplier& applier) const {
  if (lag_.is_held()) return true;
  if (!clock_.is_frozen()) return false;
  const std::optional<Clock::TimePoint> made = applier.first_made();
  return made && *made + lag_.delay().value_or(kNoDelay) > clock_.now();
}

void IndexReplicator::wait_for_all(const std::stop_token& stop) {
  for_each_busy([&](IndexApplier& applier) { wait_for(applier, stop); });
}

std::chrono::milliseconds IndexReplicator::step(const std::stop_token& stop) {
  if (idle_steps_ > kIdlePolls && log_.busy().empty()) {
    log_.wait_for_change(stop);
    idle_steps_ = 0;
    if (stop.stop_requested()) return kReplicatorPollInterval;
  }
  ++idle_steps_;
  const bool applied = apply_some_of_each();
  if (applied) idle_steps_ = 0;
  log_.allow_positions();
  if (!applied) {
    log_.trim();
    return kReplicatorPollInterval;
  }
  return goes_on() ? std::chrono::milliseconds(0) : kReplicatorPollInterval;
}

// Readers go first, and a full chunk costs less for each change.
bool IndexReplicator::goes_on() const {
  const std::vector<std::shared_ptr<IndexApplier>> busy = log_.busy();
  return std::ranges::any_of(busy, [](const auto& applier) {
    return applier->pushed() - applier->applied() >= IndexApplier::kChangesOfAChunk &&
           !applier->has_readers();
  });
}

// One step as a worker's recurring task; it runs again only when there is something to do.
void IndexReplicator::take_turn() {
  const bool applied = apply_some_of_each();
  log_.allow_positions();
  if (!applied) log_.trim();
  if (log_.rest()) return;
  if (applied || !lag_.is_on())
    return task_->due_after(goes_on() && applied ? kNoDelay : kReplicatorPollInterval);
  const std::optional<Clock::TimePoint> due = next_due();
  // a reader applied the last change meanwhile
  if (!due) return task_->due_after(kReplicatorPollInterval);
  if (lag_.is_held()) return;  // until lag_turned()
  task_->due_by(clock_, *due);
}

// When the first of the pending changes must be applied.
std::optional<Clock::TimePoint> IndexReplicator::next_due() const {
  const std::chrono::milliseconds delay = lag_.delay().value_or(kNoDelay);
  std::optional<Clock::TimePoint> due;
  for (const auto& applier : log_.busy()) {
    const std::optional<Clock::TimePoint> made = applier->first_made();
    if (made) due = std::min(*made + delay, due.value_or(Clock::TimePoint::max()));
  }
  return due;
}

bool IndexReplicator::apply_some_of_each() {
  const std::optional<std::chrono::milliseconds> delay = lag_.delay();
  if (lag_.is_held() && !log_.over_limit()) return false;
  const bool is_to_wait = delay && !lag_.is_held();
  const Clock::TimePoint now = clock_.now();
  const auto made_before = is_to_wait ? std::optional(now - *delay) : std::nullopt;
  bool applied = false;
  for_each_busy([&](IndexApplier& applier) {
    // A writer may have read the clock before it was set back. The clock is read again here, since
    // it may have advanced meanwhile.
    const auto made = is_to_wait ? applier.first_made() : std::nullopt;
    if (const Clock::TimePoint present = clock_.now(); made && *made > present) {
      applier.limit_made(present);
    }
    applied = applier.apply_some(made_before) || applied;
  });
  return applied;
}

}  // namespace magneto::storage
