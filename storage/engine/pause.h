#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace magneto::storage {

// The pauses of a thread between its steps. They allocate nothing, so a thread can pause after a
// step that failed for lack of memory.
class Pause {
 public:
  // Returns after that time, or as soon as `stop` is requested.
  void rest(std::chrono::milliseconds time, const std::stop_token& stop);

 private:
  std::mutex mutex_;
  std::condition_variable_any never_;
};

}  // namespace magneto::storage
