#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "server/feeds/event_sources/stream_follower.h"

namespace magneto::server::feeds {

// Steps of lanes that wait for their turn, and how many of each mapping are under way. Mappings take
// turns, however many steps each has waiting. A mapping begins a further step only while more than a
// third as many as it has under way are free: alone it has 48 of 64, and where several have all they
// get, some are left for one that has none. For one thread at a time.
class StepQueue {
 public:
  // Steps under way at a time.
  static constexpr std::size_t kMost = 64;

  struct Step {
    std::size_t mapping = 0;
    LaneSlot* slot = nullptr;  // nullptr: none may begin
  };

  // Mappings are 0 to `mappings` - 1.
  explicit StepQueue(std::size_t mappings) : waiting_(mappings), running_(mappings, 0) {}

  void add(std::size_t mapping, LaneSlot* slot);
  // Takes time for each mapping that has steps waiting and may begin none.
  bool has_next() const;
  // The next one, which is under way from now on.
  Step take();
  void note_end(std::size_t mapping);

  std::size_t size() const { return size_; }  // that wait
  std::size_t running() const { return all_running_; }
  // All that wait, which do no more.
  std::vector<LaneSlot*> clear();

 private:
  bool may_begin(std::size_t mapping) const;

  std::vector<std::deque<LaneSlot*>> waiting_;  // by mapping
  std::vector<std::size_t> running_;
  std::deque<std::size_t> turns_;  // mappings with steps that wait, the next first
  std::size_t size_ = 0;
  std::size_t all_running_ = 0;
};

}  // namespace magneto::server::feeds
