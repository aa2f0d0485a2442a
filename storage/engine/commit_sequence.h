#pragma once

#include <algorithm>
#include <cstdint>

#include "absl/container/inlined_vector.h"

namespace magneto::storage {

// The numbers of commits to one log, and which of them are under way. A number is drawn while the
// keys of what is written are held, right before the commit, so that the numbers of one key ascend
// as its commits do; those of different keys may be committed in any order. Who follows the log
// must not go beyond a commit that is still under way: see visible_end(). Its owner's mutex guards
// it.
class CommitSequence {
 public:
  std::uint64_t last() const { return last_; }  // drawn; 0: none
  // What is drawn from now on is greater than `last`.
  void raise(std::uint64_t last) { last_ = std::max(last_, last); }
  // The next number to be drawn where it is to be `at_least` so much.
  std::uint64_t next(std::uint64_t at_least = 0) const { return std::max(last_ + 1, at_least); }

  // Draws `count` numbers, at least one, that follow each other, and returns the first.
  std::uint64_t draw(std::uint64_t count, std::uint64_t at_least = 0) {
    const std::uint64_t first = next(at_least);
    under_way_.push_back(first);
    last_ = first + count - 1;
    return first;
  }
  // Of a commit that has been made or has failed: by the first of its numbers.
  void finish(std::uint64_t first) {
    under_way_.erase(std::ranges::lower_bound(under_way_, first));
  }

  // The smallest number whose commit is under way, else the one after the last: all below it are
  // either visible or will never be.
  std::uint64_t visible_end() const { return under_way_.empty() ? last_ + 1 : under_way_.front(); }

 private:
  std::uint64_t last_ = 0;
  absl::InlinedVector<std::uint64_t, 8> under_way_;  // ascending
};

}  // namespace magneto::storage
