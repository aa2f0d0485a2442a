#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "storage/background/worker.h"
#include "storage/clock.h"
#include "storage/index/global_index_queue.h"
#include "storage/table/table.h"

namespace magneto::storage {

// Applies the changes in a GlobalIndexQueue to the indexes, in order, many in one commit, and
// counts them in the indexes' statistics. A thread of its own does it soon; a reader that must not
// see an index lag behind does it at once, in its own thread. Thread-safe.
class GlobalIndexReplicator {
 public:
  // With a delay a change is applied only that long after it was made, by `clock`.
  GlobalIndexReplicator(Engine& engine, GlobalIndexQueue& queue, const Clock& clock,
                        std::optional<std::chrono::milliseconds> delay, ReportWarning report);
  ~GlobalIndexReplicator();  // stop()
  GlobalIndexReplicator(const GlobalIndexReplicator&) = delete;
  GlobalIndexReplicator& operator=(const GlobalIndexReplicator&) = delete;

  // Begins to apply in the background.
  void start();
  // Ends it. What is waiting stays in the queue.
  void stop();

  // Applies whatever was pushed before the call, delay or not. Throws EngineError; the changes then
  // wait on, and nothing is lost. On an I/O thread throws NeedsWorker where that waits for the disk
  // or is much.
  void apply_pushed();

  // As apply_pushed(), but a failure is only reported: for a writer that shall not let the queue
  // grow, since its write is made, and for a reader, since an index may lag.
  void try_to_apply_pushed();

  // Waits until whatever was pushed before the call is applied: at once without a delay, else when
  // its time has come or `stop` is asked for.
  void wait_for_pushed(const std::stop_token& stop);

  // Returns once no change of an index that was marked dropped before is being applied or, after a
  // failure, still to be applied. Throws EngineError when that fails again.
  void wait_for_dropped();

 private:
  // What a change does to an index's statistics.
  struct Effect {
    Statistics* statistics;
    std::int64_t items;
    std::int64_t bytes;
  };

  void run(std::stop_token stop);
  bool is_much_waiting(std::uint64_t target) const;
  // The next four require mutex_.
  bool apply_chunk(std::optional<Clock::TimePoint> made_before);
  void stage_chunk(std::vector<QueuedWrite>::iterator first,
                   std::vector<QueuedWrite>::iterator last);
  void count(const GlobalIndexChange& queued, bool recount);
  std::uint32_t stored_size(const Index& index, const std::string& key) const;

  Engine& engine_;
  GlobalIndexQueue& queue_;
  const Clock& clock_;
  const std::optional<std::chrono::milliseconds> delay_;
  const ReportWarning report_;
  std::atomic<std::uint64_t> applied_{0};        // writes
  std::atomic<std::uint64_t> applied_bytes_{0};  // of their memory
  std::atomic<int> readers_{0};                  // in apply_pushed(); the thread lets them go first

  std::mutex mutex_;                // guards what follows, to thread_; held while applying
  std::vector<QueuedWrite> taken_;  // out of the queue
  std::size_t next_ = 0;            // the first of taken_ that is not applied
  // The commit being made, kept when it fails: it holds the bytes of the writes it is made of.
  WriteBatch batch_;
  std::size_t staged_ = 0;  // writes in batch_, from next_ on
  std::uint64_t staged_bytes_ = 0;
  std::vector<Effect> effects_;
  absl::flat_hash_map<std::string, std::uint32_t> counted_sizes_;  // see count()

  std::mutex pause_mutex_;
  std::condition_variable_any pause_;
  std::jthread thread_;
};

}  // namespace magneto::storage
