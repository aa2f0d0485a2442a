#include "server/feeds/event_sources/step_queue.h"

#include <algorithm>

namespace magneto::server::feeds {

void StepQueue::add(std::size_t mapping, LaneSlot* slot) {
  if (waiting_[mapping].empty()) turns_.push_back(mapping);
  waiting_[mapping].push_back(slot);
  ++size_;
}

bool StepQueue::may_begin(std::size_t mapping) const {
  constexpr std::size_t kPart = 3;
  return all_running_ < kMost && running_[mapping] < kPart * (kMost - all_running_);
}

bool StepQueue::has_next() const {
  return std::ranges::any_of(turns_, [this](std::size_t mapping) { return may_begin(mapping); });
}

StepQueue::Step StepQueue::take() {
  const auto turn =
      std::ranges::find_if(turns_, [this](std::size_t mapping) { return may_begin(mapping); });
  if (turn == turns_.end()) return {};
  const std::size_t mapping = *turn;
  turns_.erase(turn);
  std::deque<LaneSlot*>& waiting = waiting_[mapping];
  LaneSlot* const slot = waiting.front();
  waiting.pop_front();
  if (!waiting.empty()) turns_.push_back(mapping);
  --size_;
  ++running_[mapping];
  ++all_running_;
  return {mapping, slot};
}

void StepQueue::note_end(std::size_t mapping) {
  --running_[mapping];
  --all_running_;
}

std::vector<LaneSlot*> StepQueue::clear() {
  std::vector<LaneSlot*> all;
  for (std::deque<LaneSlot*>& waiting : waiting_) {
    all.insert(all.end(), waiting.begin(), waiting.end());
    waiting.clear();
  }
  turns_.clear();
  size_ = 0;
  return all;
}

}  // namespace magneto::server::feeds
