#include "server/feeds/delivery/ordered_records.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

namespace magneto::server::feeds {

void OrderedRecords::set(std::vector<api::FeedRecord> records) {
  records_ = std::move(records);
  waiting_.resize(records_.size());
  std::iota(waiting_.begin(), waiting_.end(), std::size_t{0});
  bytes_ = 0;
  for (const api::FeedRecord& record : records_) bytes_ += size_of(record);
}

void OrderedRecords::clear() { set({}); }

std::vector<std::size_t> OrderedRecords::next_request() const {
  std::vector<std::size_t> chosen;
  absl::flat_hash_set<std::string_view> items;
  std::size_t bytes = 0;
  for (const std::size_t place : waiting_) {
    const api::FeedRecord& record = records_[place];
    if (!items.insert(record.partition_key).second) continue;
    if (is_too_long(record)) {
      if (chosen.empty()) return {place};
      continue;
    }
    bytes += size_of(record);
    if (bytes > kMostBytes) break;
    chosen.push_back(place);
    if (chosen.size() == kMostRecords) break;
  }
  return chosen;
}

void OrderedRecords::remove(std::span<const std::size_t> places) {
  std::erase_if(waiting_,
                [&](std::size_t place) { return std::ranges::binary_search(places, place); });
  if (waiting_.empty()) clear();
}

}  // namespace magneto::server::feeds
