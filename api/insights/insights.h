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
  std::shared_ptr<storage::Statistics> owner;  // its own, of all its versions
  double since = 0;  // ContributorInsights::updated: what was counted before is forgotten
};

// The rules of contributor insights (AWS developer guide, "CloudWatch contributor insights for
// DynamoDB: How it works"): most accessed and most throttled, by partition key and, where there is a
// sort key, by both.
enum class KeyRule : std::uint8_t {
  kAccessedPartition,
  kAccessedKey,
  kThrottledPartition,
  kThrottledKey,
};
inline constexpr std::size_t kKeyRules = 4;

// One key for one rule.
struct KeyNote {
  std::uint32_t place;  // of those it is given with
  KeyRule rule;
  std::uint32_t begin;  // of its bytes
  std::uint32_t end;
};

// Counts which keys of tables and indexes are used most, where contributor insights are enabled.
// Each thread counts in one of a few shards, which seldom meet; who asks gets their sum. All of it
// lies in memory, at most kShards * kShardBytes, and begins anew with the process. Thread-safe.
class Insights {
 public:
  static constexpr std::size_t kShards = 16;
  static constexpr std::size_t kShardBytes = 2 << 20;

  struct Top {
    std::string key;
    std::uint64_t count;  // at most so often
    std::uint64_t error;  // at least so much less often
  };

  Insights() = default;
  Insights(const Insights&) = delete;
  Insights& operator=(const Insights&) = delete;

  void count(std::span<const CountedKeys> places, std::span<const KeyNote> notes,
             std::string_view bytes);

  // The most frequent first, at most `limit`.
  std::vector<Top> top(const CountedKeys& place, KeyRule rule, std::size_t limit) const;
  // Notes for which there was no memory: other tables and indexes had taken it.
  std::uint64_t uncounted() const;
  // What shards hold of memory, as KeySummary::cost() has it.
  std::size_t bytes() const;

  // Of one place, when it is no longer counted; of all.
  void forget(const storage::Statistics& owner);
  void clear();

 private:
  struct Counts {
    std::weak_ptr<storage::Statistics> owner;
    double since = 0;
    std::array<std::unique_ptr<KeySummary>, kKeyRules> summaries;
  };
  struct Shard {
    mutable std::mutex mutex;  // of what follows
    KeyBudget room{kShardBytes};
    absl::flat_hash_map<const storage::Statistics*, Counts> places;
    std::size_t next_sweep = 64;  // places at which those of dropped tables are looked for
    std::uint64_t uncounted = 0;
  };

  static std::size_t shard_of_thread();
  static Counts* find_counts(Shard& shard, const CountedKeys& place);
  static void forget_dropped(Shard& shard);
  static void erase(Shard& shard, const storage::Statistics* owner);

  std::array<Shard, kShards> shards_;
};

}  // namespace magneto::api
