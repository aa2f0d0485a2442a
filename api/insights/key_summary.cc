#include "api/insights/key_summary.h"

#include <algorithm>
#include <utility>

#include "storage/model/narrow.h"

namespace magneto::api {

KeySummary::~KeySummary() {
  for (const Slot slot : order_) room_.give_back(cost(counters_[slot].key.size()));
}

std::size_t KeySummary::cost(std::size_t key_bytes) {
  // Its counter, and its share of the lookup tables, which may be twice as large as needed.
  constexpr std::size_t kFixed =
      sizeof(Counter) + 4 * sizeof(Slot) + 2 * (sizeof(std::pair<std::string_view, Slot>) + 1);
  return kFixed + key_bytes;
}

void KeySummary::add(std::string_view key) {
  if (const auto found = slots_.find(key); found != slots_.end()) {
    raise(found->second);
    return;
  }
  while (!take_room(key.size())) {
    if (order_.empty()) {
      ++floor_;
      return;
    }
    forget_last();
  }
  insert(key);
}

KeySummary::Counted KeySummary::at(std::size_t rank) const {
  const Counter& counter = counters_[order_[rank]];
  return {counter.key, counter.count, counter.error};
}

bool KeySummary::take_room(std::size_t key_bytes) {
  return order_.size() < kMaxKeys && key_bytes_ + key_bytes <= kMaxKeyBytes &&
         room_.take(cost(key_bytes));
}

// A new key starts with the count floor_. No kept key has a lower count, so its rank is the last.
void KeySummary::insert(std::string_view key) {
  if (free_.empty()) {
    free_.push_back(storage::narrow<Slot>(counters_.size()));
    counters_.emplace_back();
  }
  const Slot slot = free_.back();
  free_.pop_back();
  Counter& counter = counters_[slot];
  counter = {std::string(key), floor_, floor_, storage::narrow<std::uint16_t>(order_.size())};
  order_.push_back(slot);
  slots_.emplace(counter.key, slot);
  key_bytes_ += key.size();
  raise(slot);
}

void KeySummary::forget_last() {
  const Slot slot = order_.back();
  Counter& counter = counters_[slot];
  // No kept key has a lower count, so floor_ stays below all that remain.
  floor_ = counter.count;
  slots_.erase(counter.key);
  key_bytes_ -= counter.key.size();
  room_.give_back(cost(counter.key.size()));
  std::string().swap(counter.key);  // releases the memory of a long key
  order_.pop_back();
  free_.push_back(slot);
}

// Before its count rises, the key swaps ranks with the first key of the same count.
void KeySummary::raise(Slot slot) {
  Counter& counter = counters_[slot];
  const auto first =
      std::ranges::lower_bound(order_, counter.count, std::ranges::greater(),
                               [this](Slot other) { return counters_[other].count; });
  Counter& other = counters_[*first];
  std::swap(*first, order_[counter.rank]);
  std::swap(other.rank, counter.rank);
  ++counter.count;
}

}  // namespace magneto::api
