#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>

namespace magneto::server::bulk {

// What one thread reads segments of a table with. What its calls throw ends the reading.
class SegmentReader {
 public:
  virtual ~SegmentReader() = default;
  // Ends early once `stopped` is set.
  virtual void read(std::size_t segment, const std::atomic<bool>& stopped) = 0;
  // After its last segment, unless the reading was stopped.
  virtual void finish() = 0;
};

// Reads all segments in `threads` threads, each with a reader of its own, and calls `meanwhile` in this
// thread every now and then. Throws what the first of these threw, std::runtime_error, a sentence, where
// so many threads cannot be started.
void read_segments(std::size_t segments, std::size_t threads,
                   const std::function<std::unique_ptr<SegmentReader>()>& make_reader,
                   const std::function<void()>& meanwhile);

}  // namespace magneto::server::bulk
