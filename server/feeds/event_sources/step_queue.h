#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "server/feeds/event_sources/stream_follower.h"

namespace magneto::server::feeds {

// Lane steps that wait for their turn, and the number of running steps of each mapping. Mappings
// take turns, however many steps each has waiting. A mapping starts another step only while more
// places are free than a third of its running steps. So it gets 48 of 64 alone. If several mappings
// have their maximum, some places are left for a mapping with none. For one thread at a time.
class StepQueue {
 public:
  // The maximum number of running steps.
  static constexpr std::size_t kMost = 64;

  struct Step {
    std::size_t mapping = 0;
    LaneSlot* slot = nullptr;  // nullptr: no step may start
  };

  // Mappings have the numbers 0 to `mappings` - 1.
  explicit StepQueue(std::size_t mappings) : waiting_(mappings), running_(mappings, 0) {}

  void add(std::size_t mapping, LaneSlot* slot);
  // Takes time for each mapping that has waiting steps and may start none.
  bool has_next() const;
  // Removes the next step, which then counts as running.
  Step take();
  void note_end(std::size_t mapping);

  std::size_t size() const { return size_; }  // waiting steps
  std::size_t running() const { return all_running_; }
  // Removes all waiting steps and returns their lanes.
  std::vector<LaneSlot*> clear();

 private:
  bool may_begin(std::size_t mapping) const;

  std::vector<std::deque<LaneSlot*>> waiting_;  // by mapping
  std::vector<std::size_t> running_;
  std::deque<std::size_t> turns_;  // mappings with waiting steps, the next one first
  std::size_t size_ = 0;
  std::size_t all_running_ = 0;
};

}  // namespace magneto::server::feeds
