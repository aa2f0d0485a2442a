#include "server/feeds/event_sources/source_positions.h"

#include <algorithm>
#include <utility>

namespace magneto::server::feeds {

ShardProgress::ShardProgress(DeliveryPositions& positions, std::string key, std::uint32_t lanes,
                             const PositionBounds& bounds)
    : positions_(positions), key_(std::move(key)), at_(positions_.load_all(key_, bounds.begin)) {
  if (at_.size() != lanes) {
    at_.assign(lanes, at_.empty() ? bounds.begin : *std::ranges::min_element(at_));
  }
  for (std::uint64_t& position : at_) position = bounds.go_on(position);
}

std::uint64_t ShardProgress::at(std::uint32_t lane) const {
  const std::lock_guard lock(mutex_);
  return at_[lane];
}

void ShardProgress::move(std::uint32_t lane, std::uint64_t position, bool keeps) {
  const std::lock_guard lock(mutex_);
  at_[lane] = position;
  if (keeps) positions_.store_all(key_, at_);
}

std::uint64_t ShardProgress::lowest() const {
  const std::lock_guard lock(mutex_);
  return *std::ranges::min_element(at_);
}

}  // namespace magneto::server::feeds
