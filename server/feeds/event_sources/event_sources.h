#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "api/namespaces/namespaces.h"
#include "server/feeds/event_sources/connection_pool.h"
#include "server/feeds/event_sources/event_source_statistics.h"
#include "server/feeds/event_sources/mapping_work.h"
#include "server/feeds/event_sources/source_positions.h"
#include "server/feeds/event_sources/step_queue.h"
#include "server/feeds/event_sources/stream_follower.h"

namespace magneto::server::feeds {

struct EventSourcesOptions {
  std::string file;         // --event-sources; empty: no mappings
  std::size_t call_memory;  // bytes for events and answers of all calls together
  MappingWork::Warn warn;
  MappingWork::Warn warn_left_out;  // for records that functions do not receive
};

// Passes the stream records of the main namespace to functions, as the mappings of a file define.
// One thread checks ten times a second which shards have records to pass on. As many other threads
// as necessary pass them on, one batch of each shard in turn. Of several servers that share the store,
// the leader passes them on. Thread-safe.
class EventSources {
 public:
  // Throws MappingFileError, and std::runtime_error with a sentence for the user if a failure file
  // cannot be written.
  explicit EventSources(EventSourcesOptions options);
  ~EventSources();
  EventSources(const EventSources&) = delete;
  EventSources& operator=(const EventSources&) = delete;

  // Call this once. For LATEST, all records that are in streams now are older than the mappings, unless
  // an earlier leader has stored where they begin.
  // `namespaces` may be destroyed after stop().
  void start(api::Namespaces& namespaces);
  // Ends soon, even if the endpoints do not answer. Records that were not taken are sent after the
  // next start.
  void stop();

  // Sets how many bytes of the process's memory are left. Call it whenever that changes.
  void limit_memory(std::uint64_t left);

  std::vector<EventSourceStatistics> statistics() const;

 private:
  using Clock = Lane::Clock;
  // The keys that store a stream's positions, by the stream's id.
  using StreamKeys = std::map<std::string, std::vector<std::string>>;
  struct Mapping {
    std::unique_ptr<MappingWork> work;
    std::vector<std::unique_ptr<StreamFollower>> followers;
    StreamKeys done;        // closed streams that are completely passed on
    StreamKeys past;        // streams of the previous main namespace
    bool has_told = false;  // has logged that there is no stream
  };
  // The position that new stream records had at some time.
  struct Look {
    std::uint64_t position = 0;
    Clock::time_point time{};
  };

  void run();
  void follow_namespace();
  Look look() const;
  void change_main(std::shared_ptr<api::Namespace> main);
  void step_down();
  void drain();
  void walk();
  void walk(Mapping& mapping, const std::vector<api::SourceStream::Ptr>& found);
  void follow_new(Mapping& mapping, const std::vector<api::SourceStream::Ptr>& found);
  void leave_ended(Mapping& mapping, const std::set<std::string>& found);
  void forget_gone(StreamKeys& streams, const std::set<std::string>& found);
  void offer();
  void add_workers(std::size_t wanted);
  void work();

  const EventSourcesOptions options_;
  std::optional<DeliveryPositions> positions_;  // start() sets it
  ConnectionPool connections_;
  CallMemory call_memory_;
  std::vector<Mapping> mappings_;  // only the looking thread uses the followers
  api::Namespaces* namespaces_ = nullptr;
  // Only the looking thread uses these.
  std::shared_ptr<api::Namespace> main_;
  bool is_first_walk_ = true;
  Look last_look_;  // at the current main_
  // The start of LATEST in streams that are found later: the position at the time when main_ was
  // set, or a moment before.
  std::uint64_t latest_ = 0;
  Clock::time_point next_walk_{};

  std::atomic<bool> is_over_{false};  // asks all steps to end
  std::mutex mutex_;                  // guards the members below
  std::condition_variable wake_;      // wakes the looking thread
  std::condition_variable offered_;
  std::condition_variable drained_;
  bool stopping_ = false;
  bool has_ended_lane_ = false;  // since the last walk
  StepQueue queue_;
  std::size_t idle_workers_ = 0;
  std::vector<std::thread> workers_;
  std::thread thread_;
};

}  // namespace magneto::server::feeds
