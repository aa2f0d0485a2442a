#pragma once

#include <cstddef>
#include <cstdint>

#include "storage/table/item_write.h"

namespace magneto::storage {

// How many bytes one write adds; negative if the write frees more than it adds.

inline std::int64_t size_difference(std::size_t old_size, std::size_t new_size) {
  return static_cast<std::int64_t>(new_size) - static_cast<std::int64_t>(old_size);
}

// Growth of the item collection.
std::int64_t collection_growth(const WriteOutcome& outcome);

// Growth of the data that the database keeps; 0 for a deletion, even if its stream keeps a record.
// `indexes_lag`: entries of asynchronous indexes are pending (IndexDelay::holds_back), and count in
// addition to those that they replace.
std::int64_t data_growth(const WriteOutcome& outcome, bool indexes_lag);

// Like data_growth(), but replacing data frees nothing: in a fork, where the old data lies below,
// and while a snapshot sees it. Records are counted with the size of the written and the old item.
std::int64_t fork_growth(const WriteOutcome& outcome);

}  // namespace magneto::storage
