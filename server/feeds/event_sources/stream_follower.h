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

// A lane, and who has it: one thread finds out when it is due, others take its steps.
struct LaneSlot {
  LaneSlot(MappingWork& work, const BatchSource& place, ShardProgress& progress)
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
  // `latest`: where LATEST begins in a stream of which nothing is kept. All must outlive it, and it
  // the steps of its lanes.
  StreamFollower(MappingWork& work, SourcePositions& positions, api::SourceStream::Ptr stream,
                 std::uint64_t latest);

  const std::string& id() const { return stream_->id(); }
  bool is_closed() const { return stream_->is_closed(); }
  // Nothing that is in the stream now is to be handed over, whatever its shards are.
  bool begins_at_end() const { return begin_ >= stream_->end(); }
  // Looks for shards that are new, closed or gone.
  void follow_shards();
  // All lanes whose next step may be taken are marked as busy and added.
  void take_due(Lane::Clock::time_point now, std::vector<LaneSlot*>& due);
  // No lane is busy, nor has more to do.
  bool has_ended() const;
  // The same, and nothing can follow: the stream is closed.
  bool is_done() const;
  // Of a stream that is_done(): it is not handed over again. One key stands for those of its shards.
  void keep_done();
  // Under which it is kept how far it has come; the stream's own first.
  std::vector<std::string> keys() const;
  double age() const;  // Lane::age() of the lane where it is most

 private:
  struct Shard {
    Shard(SourcePositions& positions, std::string key, std::uint32_t lanes,
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
  SourcePositions& positions_;
  const api::SourceStream::Ptr stream_;
  const std::string key_;
  std::uint64_t begin_ = 0;  // where shards begin of which nothing is kept
  Clock::time_point kept_{};
  std::map<std::uint32_t, std::unique_ptr<Shard>> shards_;
};

}  // namespace magneto::server::feeds
