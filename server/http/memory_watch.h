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

// A thread that measures what the process takes, the more often the nearer that is to the limit,
// and keeps it below: writers are told how much room there is, held memory shrinks with what is
// left, and memory that a flood of requests or deleted data leaves free goes back to the system.
class MemoryWatch {
 public:
  // `limit` in bytes, of the process. `has_data_in_memory` tells whether there is now any data that
  // `room` is about, `count_ended` how many namespaces have been destroyed; called on any thread.
  MemoryWatch(std::uint64_t limit, std::size_t held_limit, ConnectionMemoryBudget& held,
              storage::MemoryBudget& room, std::function<bool()> has_data_in_memory,
              std::function<std::uint64_t()> count_ended);
  ~MemoryWatch();
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  // Who is told at each look how many bytes are left until the process takes nearly all. Called on the
  // watch's thread, until this ends.
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
  const int statistics_;  // /proc/self/statm; -1 when there is none

  std::mutex room_mutex_;  // guards full_
  bool full_ = false;

  // For run() alone.
  std::size_t held_peak_ = 0;       // since the last trim
  bool flood_ = false;              // much was held, and is freed bit by bit
  int vain_trims_ = 0;              // one after the other, since nothing is held any more
  std::uint64_t ended_ = 0;         // namespaces, at the last look
  std::uint64_t ended_before_ = 0;  // at the last trim for them
  Clock::time_point next_report_{};
  Clock::time_point next_trim_{};
  std::chrono::milliseconds trim_pause_;

  std::mutex listener_mutex_;  // guards listener_, and is held while it is told
  LeftListener listener_;

  std::mutex mutex_;  // guards stopping_
  std::condition_variable stop_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace magneto::server::http
