#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "api/service.h"
#include "server/http/connection_memory_budget.h"
#include "storage/table/memory_budget.h"

namespace magneto::server::http {

// A thread that measures the memory of the process and keeps it below a limit; it measures more
// often near the limit. It sets how much writers may add, and shrinks the budget for held memory
// with the memory that is left. It returns memory to the system that is free after a flood of
// requests or after data was deleted, and soon after the start the pages that only the start read.
class MemoryWatch {
 public:
  // `limit`: bytes, for the process. `has_data_in_memory` returns whether any data that `room`
  // covers exists now; `count_ended` returns how many namespaces have been destroyed. Both are
  // called on any thread.
  MemoryWatch(std::uint64_t limit, std::size_t held_limit, ConnectionMemoryBudget& held,
              storage::MemoryBudget& room, std::function<bool()> has_data_in_memory,
              std::function<std::uint64_t()> count_ended);
  ~MemoryWatch();
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  // `listener` receives, at each measurement, how many bytes are left until the process uses nearly
  // all of its limit. It is called on the watch's thread, until the watch ends.
  using LeftListener = std::function<void(std::uint64_t left)>;
  void tell_left(LeftListener listener);

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  std::chrono::milliseconds look();
  std::uint64_t resident_bytes() const;
  void report_slow_clients();
  void measure_room();
  void trim_if_due(std::uint64_t resident);
  bool have_namespaces_ended();
  bool trim(std::uint64_t resident);

  const std::uint64_t limit_;
  const std::size_t held_limit_;
  ConnectionMemoryBudget& held_;
  storage::MemoryBudget& room_;
  const std::function<bool()> has_data_in_memory_;
  const std::function<std::uint64_t()> count_ended_;
  const int statistics_;  // /proc/self/statm; -1 if it cannot be opened

  std::mutex room_mutex_;  // guards full_
  bool full_ = false;

  // Only run() uses these.
  std::size_t held_peak_ = 0;       // since the last trim
  bool flood_ = false;              // much memory was held, and is being freed bit by bit
  int vain_trims_ = 0;              // trims in a row that freed nothing, once no memory is held
  std::uint64_t ended_ = 0;         // namespaces, at the last look
  std::uint64_t ended_before_ = 0;  // the value of ended_ at the last trim for namespaces
  Clock::time_point next_report_{};
  Clock::time_point next_trim_{};
  std::chrono::milliseconds trim_pause_;

  std::mutex listener_mutex_;  // guards listener_; held while the listener is called
  LeftListener listener_;

  std::mutex mutex_;  // guards stopping_
  std::condition_variable stop_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace magneto::server::http
