#pragma once

#include <algorithm>
#include <cstddef>

#include "storage/model/effort.h"

namespace magneto::api {

// Decides how many items of an answer to fetch in one step. Fetched items that are not yet written
// occupy memory in addition to the answer. If items are no larger than those before them, this is
// about 1 MB; it is never more than 32 items, 12.8 MB. If the call may not wait, the target is 400
// KB: reading before the work is counted holds up the thread (server/http/step_credit.h), and
// everything that a worker reads again is wasted.
class FetchCount {
 public:
  // `room`: bytes that still fit in the answer.
  std::size_t next(std::size_t room) const {
    const std::size_t most = storage::Effort::thread_may_wait() ? kBytes : kBytesWithoutWaiting;
    return std::clamp(std::min(most, room) / std::max<std::size_t>(largest_, 1), std::size_t{1},
                      kMost);
  }
  // Call this for each fetched item; a size of 0 means that none was found.
  void note(std::size_t item_size) {
    if (item_size == 0) return;
    largest_ = is_guess_ ? item_size : std::max(largest_, item_size);
    is_guess_ = false;
  }

 private:
  static constexpr std::size_t kMost = 32;
  static constexpr std::size_t kBytes = 1 << 20;
  static constexpr std::size_t kBytesWithoutWaiting = 400 << 10;

  std::size_t largest_ = 128 << 10;  // the guess before the first item
  bool is_guess_ = true;
};

}  // namespace magneto::api
