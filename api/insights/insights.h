#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "api/insights/key_summary.h"
#include "storage/table/table.h"

namespace magneto::api {

// A table or index whose keys are counted.
struct CountedKeys {
  std::shared_ptr<storage::Statistics> owner;  // shared by all versions of the table or index
  double since = 0;  // ContributorInsights::updated; earlier counts are dropped
};

// The rules of contributor insights (AWS developer guide, "CloudWatch contributor insights for
// DynamoDB: How it works"): most accessed and most throttled, by partition key and, if there is a
// sort key, by both keys.
enum class KeyRule : std::uint8_t {
  kAccessedPartition,
  kAccessedKey,
  kThrottledPartition,
  kThrottledKey,
};
inline constexpr std::size_t kKeyRules = 4;

// One key for one rule.
struct KeyUse {
  std::uint32_t place;  // index into the places passed along with it
  KeyRule rule;
  std::uint32_t begin;  // of its bytes
  std::uint32_t end;
};

// Counts which keys of tables and indexes are used most, if contributor insights are enabled.
// Threads count in a few shards, so they seldom contend; a query sums up the shards. The counts lie
// in memory, in at most kShards * kShardBytes bytes, and start empty with the process. Thread-safe.
class Insights {
 public:
  static constexpr std::size_t kShards = 16;
  static constexpr std::size_t kShardBytes = 2 << 20;

  struct Top {
    std::string key;
    std::uint64_t count;  // upper bound of the number of uses
    std::uint64_t error;  // `count - error` is the lower bound
  };

  Insights() = default;
  Insights(const Insights&) = delete;
  Insights& operator=(const Insights&) = delete;

  void count(std::span<const CountedKeys> places, std::span<const KeyUse> notes,
             std::string_view bytes);

  // The most frequent keys first, at most `limit`.
  std::vector<Top> top(const CountedKeys& place, KeyRule rule, std::size_t limit) const;
  // Notes that were not counted because other tables and indexes had taken the memory.
  std::uint64_t uncounted() const;
  // Memory that the shards hold, as KeySummary::cost() counts it.
  std::size_t bytes() const;

  // forget() drops the counts of one table or index that is no longer counted; clear() drops all.
  void forget(const storage::Statistics& owner);
  void clear();

 private:
  struct Counts {
    std::weak_ptr<storage::Statistics> owner;
    double since = 0;
    std::array<std::unique_ptr<KeySummary>, kKeyRules> summaries;
  };
  struct Shard {
    mutable std::mutex mutex;  // guards the members below
    KeyBudget room{kShardBytes};
    absl::flat_hash_map<const storage::Statistics*, Counts> places;
    std::size_t next_sweep = 64;  // number of places at which those of dropped tables are removed
    std::uint64_t uncounted = 0;
  };

  static std::size_t shard_of_thread();
  static Counts* find_counts(Shard& shard, const CountedKeys& place);
  static void forget_dropped(Shard& shard);
  static void erase(Shard& shard, const storage::Statistics* owner);

  std::array<Shard, kShards> shards_;
};

}  // namespace magneto::api
