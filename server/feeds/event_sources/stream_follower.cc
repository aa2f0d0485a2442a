#include "server/feeds/event_sources/stream_follower.h"

#include <algorithm>
#include <utility>

namespace magneto::server::feeds {
namespace {

constexpr std::uint64_t kFirst = 1;
// At a start, positions that were not written for two days are dropped (DeliveryPositions).
constexpr std::chrono::hours kKeepTime{1};

}  // namespace

StreamFollower::StreamFollower(MappingWork& work, DeliveryPositions& positions,
                               api::SourceStream::Ptr stream, std::uint64_t latest)
    : work_(work),
      positions_(positions),
      stream_(std::move(stream)),
      key_(work_.mapping.id() + "-" + stream_->id()) {
  const std::vector<std::uint64_t> kept = positions_.load_all(key_, kFirst);
  const std::uint64_t end = std::max(kFirst, stream_->end());
  if (kept.size() != 1) {
    begin_ = work_.mapping.from_latest ? std::clamp(latest, kFirst, end) : kFirst;
  } else {
    begin_ = PositionBounds{kFirst, end, stream_->position_of_now()}.go_on(kept.front());
  }
  keep_begin();
}

// Stores the start position, so that LATEST keeps its meaning after a restart.
void StreamFollower::keep_begin() {
  const auto now = Clock::now();
  if (!work_.mapping.from_latest || (kept_ != Clock::time_point() && now < kept_ + kKeepTime)) {
    return;
  }
  kept_ = now;
  positions_.store(key_, begin_);
}

bool StreamFollower::Shard::is_busy() const {
  return std::ranges::any_of(
      slots, [](const auto& slot) { return slot->is_busy.load(std::memory_order_acquire); });
}

bool StreamFollower::Shard::has_ended() const {
  return std::ranges::all_of(slots, [](const auto& slot) { return slot->lane.has_ended(); });
}

void StreamFollower::add(std::uint32_t number) {
  const std::uint32_t lanes = work_.mapping.lanes;
  const PositionBounds bounds{begin_, stream_->end(), stream_->position_of_now()};
  auto shard = std::make_unique<Shard>(positions_, key_of(number), lanes, bounds);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const BatchSource place{stream_.get(), number, {lane, lanes}};
    shard->slots.push_back(std::make_unique<LaneSlot>(work_, place, shard->progress));
  }
  shards_.emplace(number, std::move(shard));
}

void StreamFollower::remove_gone(const std::vector<api::SourceShard>& shards) {
  std::erase_if(shards_, [&](const auto& followed) {
    const bool is_there = std::ranges::any_of(
        shards, [&](const api::SourceShard& shard) { return shard.number == followed.first; });
    const bool is_gone = !is_there && !followed.second->is_busy() && followed.second->has_ended();
    if (is_gone) followed.second->progress.forget();
    return is_gone;
  });
}

void StreamFollower::follow_shards() {
  keep_begin();
  const std::vector<api::SourceShard> shards = stream_->shards();
  remove_gone(shards);
  for (const api::SourceShard& shard : shards) {
    const auto followed = shards_.find(shard.number);
    if (followed == shards_.end()) {
      const bool has_parent = std::ranges::any_of(
          shards, [&](const api::SourceShard& other) { return other.number == shard.parent; });
      const auto parent = shards_.find(shard.parent);
      const bool waits = parent == shards_.end() ? has_parent : !parent->second->has_ended();
      if (!waits) add(shard.number);
    } else if (shard.is_closed) {
      // A lane may already have reached the end of the closed shard.
      for (const auto& slot : followed->second->slots) {
        const bool is_idle = !slot->is_busy.load(std::memory_order_acquire);
        if (is_idle && slot->due == Lane::kWhenItGrows) slot->due = {};
      }
    }
  }
}

void StreamFollower::take_due(Clock::time_point now, std::vector<LaneSlot*>& due) {
  const std::uint64_t end = stream_->end();
  for (const auto& [number, shard] : shards_) {
    for (const auto& slot : shard->slots) {
      if (slot->is_busy.load(std::memory_order_acquire) || slot->lane.has_ended()) continue;
      const bool waits = slot->due == Lane::kWhenItGrows;
      if (waits ? !slot->lane.has_more(end) : slot->due > now) continue;
      slot->is_busy.store(true, std::memory_order_release);
      due.push_back(slot.get());
    }
  }
}

bool StreamFollower::has_ended() const {
  return std::ranges::all_of(shards_, [](const auto& followed) {
    return !followed.second->is_busy() && followed.second->has_ended();
  });
}

// A shard that waits for its parent is not followed yet.
bool StreamFollower::is_done() const {
  if (!stream_->is_closed() || !has_ended()) return false;
  return std::ranges::all_of(stream_->shards(), [&](const api::SourceShard& shard) {
    return shards_.contains(shard.number);
  });
}

void StreamFollower::keep_done() {
  positions_.store(key_, std::max(begin_, stream_->end()));
  for (const auto& [number, shard] : shards_) shard->progress.forget();
}

std::vector<std::string> StreamFollower::keys() const {
  std::vector<std::string> keys = {key_};
  for (const auto& [number, shard] : shards_) keys.push_back(key_of(number));
  return keys;
}

double StreamFollower::age() const {
  double most = 0;
  for (const auto& [number, shard] : shards_) {
    for (const auto& slot : shard->slots) most = std::max(most, slot->lane.age());
  }
  return most;
}

}  // namespace magneto::server::feeds
