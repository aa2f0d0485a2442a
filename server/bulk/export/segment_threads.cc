#include "server/bulk/export/segment_threads.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include "server/bulk/messages.h"

namespace magneto::server::bulk {
namespace {

constexpr std::chrono::milliseconds kMeanwhile{200};

class Reading {
 public:
  Reading(std::size_t segments, std::size_t threads) : segments_(segments), working_(threads) {}

  void work(SegmentReader& reader) {
    try {
      while (!stopped_) {
        const std::size_t segment = next_.fetch_add(1);
        if (segment >= segments_) break;
        reader.read(segment, stopped_);
      }
      if (!stopped_) reader.finish();
    } catch (...) {
      stopped_ = true;
      const std::lock_guard lock(mutex_);
      if (!thrown_) thrown_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    --working_;
    changed_.notify_all();
  }

  void wait(const std::function<void()>& meanwhile) {
    std::unique_lock lock(mutex_);
    while (working_ > 0) {
      changed_.wait_for(lock, kMeanwhile);
      lock.unlock();
      meanwhile();
      lock.lock();
    }
  }

  void stop() { stopped_ = true; }

  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  const std::size_t segments_;
  std::atomic<std::size_t> next_{0};  // next segment
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::size_t working_;
  std::exception_ptr thrown_;
};

void start(Reading& reading, std::size_t count,
           const std::function<std::unique_ptr<SegmentReader>()>& make_reader,
           std::vector<std::thread>& threads) {
  try {
    for (std::size_t i = 0; i < count; ++i) {
      threads.emplace_back([&reading, reader = std::shared_ptr<SegmentReader>(make_reader())] {
        reading.work(*reader);
      });
    }
  } catch (const std::system_error& error) {
    throw std::runtime_error(messages::kNoThreads(error.what()));
  } catch (const std::bad_alloc&) {
    throw std::runtime_error(messages::kNoThreads(messages::kNoMemory));
  }
}

}  // namespace

void read_segments(std::size_t segments, std::size_t threads,
                   const std::function<std::unique_ptr<SegmentReader>()>& make_reader,
                   const std::function<void()>& meanwhile) {
  Reading reading(segments, threads);
  std::vector<std::thread> running;
  const auto join = [&] {
    for (std::thread& thread : running) thread.join();
  };
  try {
    start(reading, threads, make_reader, running);
    reading.wait(meanwhile);
  } catch (...) {
    reading.stop();
    join();
    throw;
  }
  join();
  reading.rethrow();
}

}  // namespace magneto::server::bulk
