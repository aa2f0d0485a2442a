#include "api/insights/insights.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace magneto::api {
namespace {

// After this many notes, a thread releases its shard for others: every ten microseconds or so.
constexpr std::size_t kNotesAtOnce = 64;
// The memory of a place and its four summaries, without keys.
constexpr std::size_t kPlaceBytes = 4 << 10;
// A sweep visits every place, so it runs only once in this many misses.
constexpr std::uint64_t kMissesOfASweep = 1024;

}  // namespace

std::size_t Insights::shard_of_thread() {
  static std::atomic<std::size_t> threads{0};
  thread_local const std::size_t mine = threads.fetch_add(1, std::memory_order_relaxed) % kShards;
  return mine;
}

void Insights::count(std::span<const CountedKeys> places, std::span<const KeyUse> notes,
                     std::string_view bytes) {
  Shard& shard = shards_[shard_of_thread()];
  while (!notes.empty()) {
    const std::span<const KeyUse> now = notes.first(std::min(notes.size(), kNotesAtOnce));
    notes = notes.subspan(now.size());
    const std::lock_guard lock(shard.mutex);
    for (const KeyUse& note : now) {
      Counts* const counts = find_counts(shard, places[note.place]);
      if (counts == nullptr) {
        ++shard.uncounted;
        continue;
      }
      auto& summary = counts->summaries[static_cast<std::size_t>(note.rule)];
      if (summary == nullptr) summary = std::make_unique<KeySummary>(shard.room);
      summary->add(bytes.substr(note.begin, note.end - note.begin));
    }
  }
}

// The counts of a place; creates them if there are none. nullptr if there is no memory for them.
// Requires the shard's mutex.
Insights::Counts* Insights::find_counts(Shard& shard, const CountedKeys& place) {
  const auto found = shard.places.find(place.owner.get());
  if (found != shard.places.end()) {
    Counts& counts = found->second;
    if (counts.since == place.since && !counts.owner.expired()) return &counts;
    counts = {place.owner, place.since, {}};
    return &counts;
  }
  if (shard.places.size() >= shard.next_sweep) forget_dropped(shard);
  if (!shard.room.take(kPlaceBytes)) {
    // Dropped tables may still hold the memory.
    if (shard.uncounted % kMissesOfASweep != 0) return nullptr;
    forget_dropped(shard);
    if (!shard.room.take(kPlaceBytes)) return nullptr;
  }
  return &shard.places.emplace(place.owner.get(), Counts{place.owner, place.since, {}})
              .first->second;
}

void Insights::forget_dropped(Shard& shard) {
  absl::erase_if(shard.places, [&shard](const auto& entry) {
    if (!entry.second.owner.expired()) return false;
    shard.room.give_back(kPlaceBytes);
    return true;
  });
  shard.next_sweep = 2 * std::max<std::size_t>(shard.places.size(), 32);
}

void Insights::erase(Shard& shard, const storage::Statistics* owner) {
  if (shard.places.erase(owner) != 0) shard.room.give_back(kPlaceBytes);
}

std::vector<Insights::Top> Insights::top(const CountedKeys& place, KeyRule rule,
                                         std::size_t limit) const {
  struct Sum {
    std::uint64_t count = 0;
    std::uint64_t error = 0;
    std::uint64_t floors = 0;  // sum of floor() over the shards that have the key
  };
  absl::flat_hash_map<std::string, Sum> sums;
  std::uint64_t floors = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.places.find(place.owner.get());
    if (found == shard.places.end() || found->second.since != place.since) continue;
    const auto& summary = found->second.summaries[static_cast<std::size_t>(rule)];
    if (summary == nullptr) continue;
    floors += summary->floor();
    for (std::size_t i = 0; i < summary->size(); ++i) {
      const KeySummary::Counted counted = summary->at(i);
      Sum& sum = sums[std::string(counted.key)];
      sum.count += counted.count;
      sum.error += counted.error;
      sum.floors += summary->floor();
    }
  }
  std::vector<Top> all;
  all.reserve(sums.size());
  for (auto& [key, sum] : sums) {
    const std::uint64_t elsewhere = floors - sum.floors;
    all.push_back({key, sum.count + elsewhere, sum.error + elsewhere});
  }
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(limit, all.size()));
  std::partial_sort(all.begin(), end, all.end(), [](const Top& a, const Top& b) {
    return a.count != b.count ? a.count > b.count : a.key < b.key;
  });
  all.erase(end, all.end());
  return all;
}

std::uint64_t Insights::uncounted() const {
  std::uint64_t all = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    all += shard.uncounted;
  }
  return all;
}

std::size_t Insights::bytes() const {
  std::size_t all = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    all += kShardBytes - shard.room.left();
  }
  return all;
}

void Insights::forget(const storage::Statistics& owner) {
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    erase(shard, &owner);
  }
}

void Insights::clear() {
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    const std::size_t places = shard.places.size();
    shard.places.clear();
    shard.room.give_back(places * kPlaceBytes);
    shard.uncounted = 0;
  }
}

}  // namespace magneto::api
