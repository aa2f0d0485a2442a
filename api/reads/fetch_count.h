#pragma once

#include <algorithm>
#include <cstddef>

#include "storage/model/effort.h"

namespace magneto::api {

// How many items of an answer are fetched in one step. What is fetched and not written yet is held
// beside the answer: about 1 MB when items are no larger than those before them, and in no case
// more than 32 items, 12.8 MB. Where the call may not wait it is 400 KB, since what is read before
// it is counted holds up the thread (server/http/step_credit.h), and what a worker reads again is lost.
class FetchCount {
 public:
  // `room`: bytes that the answer still takes.
  std::size_t next(std::size_t room) const {
    const std::size_t most = storage::Effort::thread_may_wait() ? kBytes : kBytesWithoutWaiting;
    return std::clamp(std::min(most, room) / std::max<std::size_t>(largest_, 1), std::size_t{1},
                      kMost);
  }
  // Of each item that was fetched; 0: there was none.
  void note(std::size_t item_size) {
    if (item_size == 0) return;
    largest_ = is_guess_ ? item_size : std::max(largest_, item_size);
    is_guess_ = false;
  }

 private:
  static constexpr std::size_t kMost = 32;
  static constexpr std::size_t kBytes = 1 << 20;
  static constexpr std::size_t kBytesWithoutWaiting = 400 << 10;

  std::size_t largest_ = 128 << 10;  // at first, when nothing is known
  bool is_guess_ = true;
};

}  // namespace magneto::api
