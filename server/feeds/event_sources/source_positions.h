#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "server/feeds/delivery/delivery_positions.h"

namespace magneto::server::feeds {

// The positions of the lanes of one shard, for one mapping. Thread-safe.
class ShardProgress {
 public:
  // If the key has no stored positions, or damaged ones, all lanes begin at `bounds.begin`. If it
  // has those of another number of lanes, all begin at the lowest one.
  ShardProgress(DeliveryPositions& positions, std::string key, std::uint32_t lanes,
                const PositionBounds& bounds);

  std::uint64_t at(std::uint32_t lane) const;
  // `keeps`: also stores the positions of all lanes.
  void move(std::uint32_t lane, std::uint64_t position, bool keeps);
  std::uint64_t lowest() const;
  void forget() { positions_.forget(key_); }

 private:
  DeliveryPositions& positions_;
  const std::string key_;
  mutable std::mutex mutex_;  // guards the members below
  std::vector<std::uint64_t> at_;
};

}  // namespace magneto::server::feeds
