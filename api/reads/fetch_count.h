#pragma once

#include <algorithm>
#include <cstddef>

namespace magneto::api {

// How many items of an answer are fetched in one step. What is fetched and not written yet is held
// beside the answer: about 1 MB when items are no larger than those before them, and in no case
// more than 32 items, 12.8 MB.
class FetchCount {
 public:
  std::size_t next() const {
    return std::clamp(kBytes / std::max<std::size_t>(largest_, 1), std::size_t{1}, kMost);
  }
  // Of each item that was fetched; 0: there was none.
  void note(std::size_t item_size) {
    largest_ = is_guess_ ? item_size : std::max(largest_, item_size);
    is_guess_ = false;
  }

 private:
  static constexpr std::size_t kMost = 32;
  static constexpr std::size_t kBytes = 1 << 20;

  std::size_t largest_ = 128 << 10;  // at first, when nothing is known
  bool is_guess_ = true;
};

}  // namespace magneto::api
