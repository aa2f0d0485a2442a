#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "server/event_sources/lane.h"
#include "server/event_sources/mapping_work.h"
#include "server/event_sources/source_positions.h"

namespace magneto::server {

// A lane, and who has it: one thread finds out when it is due, others take its steps.
struct LaneSlot {
  LaneSlot(MappingWork& work, const BatchPlace& place, ShardProgress& progress)
      : lane(work, place, progress) {}

  Lane lane;
  // Set by the thread that finds out, taken back by the one that took a step; while it is set, `due`
  // and all of the lane but has_ended() and age() are that one's.
  std::atomic<bool> is_busy{false};
  Lane::Clock::time_point due{};
};

// One mapping's way through one stream: lanes for its shards, those of a parent before those of its
// children. For one thread, but for the lanes.
class StreamFollower {
 public:
  // `was_there`: before the mapping was, so that LATEST is where the stream ends now. All must outlive
  // it, and it the steps of its lanes.
  StreamFollower(MappingWork& work, SourcePositions& positions, api::SourceStream::Ptr stream,
                 bool was_there);

  const std::string& id() const { return stream_->id(); }
  // Looks for shards that are new, closed or gone.
  void follow_shards();
  // All lanes whose next step may be taken are marked as busy and added.
  void take_due(Lane::Clock::time_point now, std::vector<LaneSlot*>& due);
  // No lane is busy, nor has more to do.
  bool has_ended() const;
  // How far it has come is needed no more, since the stream is gone.
  void forget();
  double age() const;  // Lane::age() of the lane where it is most

 private:
  struct Shard {
    Shard(SourcePositions& positions, std::string key, std::uint32_t lanes,
          const ShardProgress::Bounds& bounds)
        : progress(positions, std::move(key), lanes, bounds) {}

    bool is_busy() const;
    bool has_ended() const;

    ShardProgress progress;
    std::vector<std::unique_ptr<LaneSlot>> slots;
  };
  using Clock = Lane::Clock;

  void keep_begin();
  void add(std::uint32_t number);
  void remove_gone(const std::vector<api::SourceShard>& shards);

  MappingWork& work_;
  SourcePositions& positions_;
  const api::SourceStream::Ptr stream_;
  const std::string key_;
  std::uint64_t begin_ = 0;  // where shards begin of which nothing is kept
  Clock::time_point kept_{};
  std::map<std::uint32_t, std::unique_ptr<Shard>> shards_;
};

}  // namespace magneto::server
