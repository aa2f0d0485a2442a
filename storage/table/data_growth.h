#pragma once

#include <cstddef>
#include <cstdint>

#include "storage/table/item_write.h"

namespace magneto::storage {

// How many bytes one write adds. Each is negative where the write frees more than it adds.

inline std::int64_t size_difference(std::size_t old_size, std::size_t new_size) {
  return static_cast<std::int64_t>(new_size) - static_cast<std::int64_t>(old_size);
}

// To its item collection.
std::int64_t collection_growth(const WriteOutcome& outcome);

// To what the database keeps; a deletion adds none, whatever its stream keeps. `indexes_lag`: entries
// of asynchronous indexes wait (IndexDelay::holds_back), and count beside those that they replace.
std::int64_t data_growth(const WriteOutcome& outcome, bool indexes_lag);

// The same where what is replaced frees nothing: in a fork, below which it lies, and while a snapshot
// sees it. Records are as large as what is written or was there.
std::int64_t fork_growth(const WriteOutcome& outcome);

}  // namespace magneto::storage
