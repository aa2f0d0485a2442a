#include "api/capacity/key_meters.h"

#include "absl/hash/hash.h"
#include "api/capacity/throughput_meter.h"

namespace magneto::api {

namespace {

std::uint64_t add_value(std::uint64_t digest, storage::AttributeView value) {
  return absl::HashOf(digest, value.bytes());
}

}  // namespace

KeyDigest digest_of(std::span<const storage::KeyAttribute> partition,
                    storage::ItemView attributes) {
  std::uint64_t digest = 0;
  for (const storage::KeyAttribute& attribute : partition) {
    const storage::AttributeView value = attributes.find(attribute.name);
    if (!value || value.type() != attribute.type) return std::nullopt;
    digest = add_value(digest, value);
  }
  return digest;
}

KeyDigest digest_of(std::span<const storage::AttributeView> values) {
  if (values.empty()) return std::nullopt;
  std::uint64_t digest = 0;
  for (const storage::AttributeView value : values) digest = add_value(digest, value);
  return digest;
}

bool KeyMeters::is_spent(std::uint64_t key, std::int64_t second) {
  Shard& shard = shards_[key % kShards];
  const std::lock_guard lock(shard.mutex);
  if (shard.sets == nullptr) return false;
  return find(shard, key, second).used >= units_a_second_;
}

void KeyMeters::count(std::uint64_t key, std::int64_t second, double units) {
  Shard& shard = shards_[key % kShards];
  const std::lock_guard lock(shard.mutex);
  if (shard.sets == nullptr) shard.sets = std::make_unique<std::array<Set, kSets>>();
  Entry& entry = find(shard, key, second);
  entry.key = key;
  entry.used += units;
}

KeyMeters::Entry& KeyMeters::find(Shard& shard, std::uint64_t key, std::int64_t second) const {
  Set& set = (*shard.sets)[key / kShards % kSets];
  Entry* least = nullptr;
  for (Entry& entry : set) {
    entry.used = left_after(entry.used, second - entry.second, units_a_second_);
    entry.second = second;
    if (entry.key == key) return entry;
    if (least == nullptr || entry.used < least->used) least = &entry;
  }
  return *least;
}

}  // namespace magneto::api
