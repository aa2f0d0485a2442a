#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace magneto::storage {

// A count that many threads add to. It is spread over a few cache lines, so that threads rarely
// contend. Thread-safe.
class SpreadCounter {
 public:
  void add(std::uint64_t count = 1) {
    lines_[line_of_thread()].count.fetch_add(count, std::memory_order_relaxed);
  }
  std::uint64_t sum() const {
    std::uint64_t sum = 0;
    for (const Line& line : lines_) sum += line.count.load(std::memory_order_relaxed);
    return sum;
  }

 private:
  static constexpr std::size_t kLines = 16;
  struct alignas(64) Line {
    std::atomic<std::uint64_t> count{0};
  };

  static std::size_t line_of_thread() {
    static std::atomic<std::size_t> threads{0};
    thread_local const std::size_t line = threads.fetch_add(1, std::memory_order_relaxed) % kLines;
    return line;
  }

  std::array<Line, kLines> lines_;
};

}  // namespace magneto::storage
