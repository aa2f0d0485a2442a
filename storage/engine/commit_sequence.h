#pragma once

#include <algorithm>
#include <cstdint>

#include "absl/container/inlined_vector.h"

namespace magneto::storage {

// The numbers of commits to one log, and which of them are in progress. A commit draws its number
// while it holds the keys it writes, right before the commit, so the numbers of one key ascend in
// commit order. Numbers of different keys may be committed in any order. A reader of the log must
// not read beyond a commit that is in progress: see visible_end(). The owner's mutex guards this
// object.
class CommitSequence {
 public:
  std::uint64_t last() const { return last_; }  // the last number drawn; 0: none
  // Numbers drawn from now on are greater than `last`.
  void raise(std::uint64_t last) { last_ = std::max(last_, last); }
  // The number that draw() would return with the same `at_least`.
  std::uint64_t next(std::uint64_t at_least = 0) const { return std::max(last_ + 1, at_least); }

  // Draws `count` consecutive numbers, at least one, and returns the first. It is not below
  // `at_least`.
  std::uint64_t draw(std::uint64_t count, std::uint64_t at_least = 0) {
    const std::uint64_t first = next(at_least);
    under_way_.push_back(first);
    last_ = first + count - 1;
    return first;
  }
  // Ends a commit, successful or failed, that is identified by the first of its numbers.
  void finish(std::uint64_t first) {
    under_way_.erase(std::ranges::lower_bound(under_way_, first));
  }

  // The smallest number whose commit is in progress; if there is none, the number after the last.
  // All lower numbers are either visible or will never be.
  std::uint64_t visible_end() const { return under_way_.empty() ? last_ + 1 : under_way_.front(); }

 private:
  std::uint64_t last_ = 0;
  absl::InlinedVector<std::uint64_t, 8> under_way_;  // ascending
};

}  // namespace magneto::storage
