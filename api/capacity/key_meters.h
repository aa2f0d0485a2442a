#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "storage/model/attribute_value.h"
#include "storage/model/table_schema.h"

namespace magneto::api {

// A digest of partition key values; nullopt if a value is missing or has the wrong type.
using KeyDigest = std::optional<std::uint64_t>;
KeyDigest digest_of(std::span<const storage::KeyAttribute> partition, storage::ItemView attributes);
// The digest of the values themselves, in schema order; nullopt if there are no values.
KeyDigest digest_of(std::span<const storage::AttributeView> values);

// Counts the units that partition keys used in this second, in fixed memory: kKeys keys in sets of
// kWays. A shard allocates its sets when it counts its first key. Each second subtracts the key's
// allowed units; the excess of its last request is carried over to the following seconds.
//
// No key exceeds its units unseen, however many keys there are (the space-saving algorithm, as in
// insights/key_summary.h). If a set is full, a new key replaces the key that used least and
// inherits its count; a missing key counts as that one. So a key is refused because of others only
// while the eight keys of its set together use eight times the allowed units. Thread-safe; the lock
// of a shard is held for one look at a set.
class KeyMeters {
 public:
  static constexpr std::size_t kWays = 8;
  static constexpr std::size_t kSets = 64;  // per shard
  static constexpr std::size_t kShards = 64;
  static constexpr std::size_t kKeys = kWays * kSets * kShards;

  explicit KeyMeters(double units_a_second) : units_a_second_(units_a_second) {}
  KeyMeters(const KeyMeters&) = delete;
  KeyMeters& operator=(const KeyMeters&) = delete;

  // `key`: a 64-bit hash, treated as the key itself. `second`: from the clock.
  bool is_spent(std::uint64_t key, std::int64_t second);
  void count(std::uint64_t key, std::int64_t second, double units);

 private:
  struct Entry {
    std::uint64_t key = 0;
    std::int64_t second = 0;
    double used = 0;  // 0: free
  };
  using Set = std::array<Entry, kWays>;
  struct alignas(64) Shard {
    std::mutex mutex;
    std::unique_ptr<std::array<Set, kSets>> sets;
  };

  // The entry of the key; otherwise the entry that used least. Requires the shard's mutex.
  Entry& find(Shard& shard, std::uint64_t key, std::int64_t second) const;

  const double units_a_second_;
  std::array<Shard, kShards> shards_;
};

}  // namespace magneto::api
