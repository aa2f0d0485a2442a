#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>

namespace magneto::server::bulk {

// Reads segments of a table on one thread. An exception from its functions ends the reading.
class SegmentReader {
 public:
  virtual ~SegmentReader() = default;
  // Returns early once `stopped` is set.
  virtual void read(std::size_t segment, const std::atomic<bool>& stopped) = 0;
  // Called after the reader's last segment, unless the reading was stopped.
  virtual void finish() = 0;
};

// Reads all segments on `threads` threads, each with its own reader. Calls `meanwhile` regularly on
// this thread. Rethrows the first exception of these functions. Throws std::runtime_error with a
// sentence if that many threads cannot be started.
void read_segments(std::size_t segments, std::size_t threads,
                   const std::function<std::unique_ptr<SegmentReader>()>& make_reader,
                   const std::function<void()>& meanwhile);

}  // namespace magneto::server::bulk
