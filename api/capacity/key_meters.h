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

// What stands for the values of a partition key; nullopt: they are not all there, or cannot stand
// in a key.
using KeyDigest = std::optional<std::uint64_t>;
KeyDigest digest_of(std::span<const storage::KeyAttribute> partition, storage::ItemView attributes);
// The values themselves, in the order of the schema; nullopt where there are none.
KeyDigest digest_of(std::span<const storage::AttributeView> values);

// Which partition keys have used up their units of this second, in a memory that does not grow: for
// kKeys keys in sets of kWays, made when the first one is counted. A second takes a key's units away;
// what a key used beyond them, by its last request, is left for the next seconds.
//
// No key goes beyond its units unseen, however many there are (the space-saving algorithm, as in
// insights/key_summary.h): where a set is full a new key takes the place of the one that used least
// and starts with its count, and one that is not there counts as that one. So a key is refused for
// others only while eight of its set, together, use eight times what one may. Thread-safe; the lock
// of a shard is held for one look at a set.
class KeyMeters {
 public:
  static constexpr std::size_t kWays = 8;
  static constexpr std::size_t kSets = 64;  // of a shard
  static constexpr std::size_t kShards = 64;
  static constexpr std::size_t kKeys = kWays * kSets * kShards;

  explicit KeyMeters(double units_a_second) : units_a_second_(units_a_second) {}
  KeyMeters(const KeyMeters&) = delete;
  KeyMeters& operator=(const KeyMeters&) = delete;

  // `key`: a hash of 64 bits, as good as the key. `second`: of the clock.
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

  // That of the key, else the one that used least. Requires the shard's mutex.
  Entry& find(Shard& shard, std::uint64_t key, std::int64_t second) const;

  const double units_a_second_;
  std::array<Shard, kShards> shards_;
};

}  // namespace magneto::api
