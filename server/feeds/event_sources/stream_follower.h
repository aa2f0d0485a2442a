#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "server/feeds/event_sources/lane.h"
#include "server/feeds/event_sources/mapping_work.h"
#include "server/feeds/event_sources/source_positions.h"

namespace magneto::server::feeds {

// A lane and its current owner. One thread decides when the lane is due; others run its steps.
struct LaneSlot {
  LaneSlot(MappingWork& work, const BatchSource& place, ShardProgress& progress)
      : lane(work, place, progress) {}

  Lane lane;
  // The deciding thread sets it; the thread that ran a step clears it. While it is set, the running
  // thread owns `due` and the lane, except has_ended() and age().
  std::atomic<bool> is_busy{false};
  Lane::Clock::time_point due{};
};

// Follows one stream for one mapping: it has lanes for the stream's shards, and processes those of
// a parent before those of its children. For one thread, except the lanes.
class StreamFollower {
 public:
  // `latest`: the start of LATEST in a stream without a stored position. All arguments must outlive
  // the follower; the follower must outlive the steps of its lanes.
  StreamFollower(MappingWork& work, DeliveryPositions& positions, api::SourceStream::Ptr stream,
                 std::uint64_t latest);

  const std::string& id() const { return stream_->id(); }
  bool is_closed() const { return stream_->is_closed(); }
  // True if nothing that is in the stream now must be passed on, from any shard.
  bool begins_at_end() const { return begin_ >= stream_->end(); }
  // Looks for new, closed and deleted shards.
  void follow_shards();
  // Marks all due lanes as busy and appends them to `due`.
  void take_due(Lane::Clock::time_point now, std::vector<LaneSlot*>& due);
  // True if no lane is busy or has more to do.
  bool has_ended() const;
  // True if has_ended() and nothing can follow, because the stream is closed.
  bool is_done() const;
  // Call this for a stream that is_done(), so that it is not passed on again. One key then replaces
  // those of its shards.
  void keep_done();
  // The keys of the stored positions; the stream's own key comes first.
  std::vector<std::string> keys() const;
  double age() const;  // the maximum Lane::age() of its lanes

 private:
  struct Shard {
    Shard(DeliveryPositions& positions, std::string key, std::uint32_t lanes,
          const PositionBounds& bounds)
        : progress(positions, std::move(key), lanes, bounds) {}

    bool is_busy() const;
    bool has_ended() const;

    ShardProgress progress;
    std::vector<std::unique_ptr<LaneSlot>> slots;
  };
  using Clock = Lane::Clock;

  std::string key_of(std::uint32_t shard) const { return key_ + "-" + std::to_string(shard); }
  void keep_begin();
  void add(std::uint32_t number);
  void remove_gone(const std::vector<api::SourceShard>& shards);

  MappingWork& work_;
  DeliveryPositions& positions_;
  const api::SourceStream::Ptr stream_;
  const std::string key_;
  std::uint64_t begin_ = 0;  // the start of shards without a stored position
  Clock::time_point kept_{};
  std::map<std::uint32_t, std::unique_ptr<Shard>> shards_;
};

}  // namespace magneto::server::feeds
