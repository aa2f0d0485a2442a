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
  std::string file;            // --event-sources; empty: there are none
  std::string data_directory;  // where positions are kept; empty: nowhere
  std::size_t call_memory;     // bytes for events and answers of all calls together
  MappingWork::Warn warn;
  MappingWork::Warn warn_left_out;  // of records that functions do not get
};

// Hands the records of streams of the main namespace to functions, as the mappings of a file say. One
// thread looks, ten times a second, which shards have something to be handed over, and others, as many
// as are needed, hand it over: each a batch at a time, in turns. Thread-safe.
class EventSources {
 public:
  // Throws MappingFileError, and std::runtime_error, a sentence for the user, for a file of failures
  // that cannot be written.
  explicit EventSources(EventSourcesOptions options);
  ~EventSources();
  EventSources(const EventSources&) = delete;
  EventSources& operator=(const EventSources&) = delete;

  // Once. What is in streams now was there before the mappings, for LATEST. `namespaces` may go after
  // stop().
  void start(api::Namespaces& namespaces);
  // Ends soon, whatever endpoints do. What was not taken is sent after the next start.
  void stop();

  // No more than so many bytes are left of the process's memory; asked for as it changes.
  void limit_memory(std::uint64_t left);

  std::vector<EventSourceStatistics> statistics() const;

 private:
  using Clock = Lane::Clock;
  // By the id of a stream: the keys under which it is kept how far it has come.
  using StreamKeys = std::map<std::string, std::vector<std::string>>;
  struct Mapping {
    std::unique_ptr<MappingWork> work;
    std::vector<std::unique_ptr<StreamFollower>> followers;
    StreamKeys done;        // closed streams that were handed over
    StreamKeys past;        // of what main was before
    bool has_told = false;  // that there is no stream
  };
  // Where a stream was that made a record then.
  struct Look {
    std::uint64_t position = 0;
    Clock::time_point time{};
  };

  void run();
  void follow_namespace();
  Look look() const;
  void change_main(std::shared_ptr<api::Namespace> main);
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
  SourcePositions positions_;
  ConnectionPool connections_;
  CallMemory call_memory_;
  std::vector<Mapping> mappings_;  // followers are of the thread that looks
  api::Namespaces* namespaces_ = nullptr;
  // Of that thread alone.
  std::shared_ptr<api::Namespace> main_;
  bool is_first_walk_ = true;
  Look last_look_;  // at what main_ is
  // Where LATEST begins in streams that are found later: when main_ became what it is, or a moment
  // before.
  std::uint64_t latest_ = 0;
  Clock::time_point next_walk_{};

  std::atomic<bool> is_over_{false};  // steps are to end
  std::mutex mutex_;                  // guards what follows
  std::condition_variable wake_;      // of the thread that looks
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
