#include "storage/table/item_claims.h"

#include <algorithm>

#include "absl/hash/hash.h"
#include "storage/model/narrow.h"

namespace magneto::storage {

ItemClaims::Claim::~Claim() {
  if (claims_ != nullptr) claims_->release(keys_);
}

ItemClaims::Shard& ItemClaims::shard_of(std::string_view key) const {
  return shards_[absl::HashOf(key) % kShards];
}

bool ItemClaims::contains(std::string_view key) const {
  Shard& shard = shard_of(key);
  const std::lock_guard lock(shard.mutex);
  const bool is_held = shard.keys.contains(key);
  if (is_held) conflicts_.fetch_add(1, std::memory_order_relaxed);
  return is_held;
}

// Locks in ascending order, so that two transactions cannot wait for each other.
std::vector<std::unique_lock<std::mutex>> ItemClaims::lock_shards(
    std::span<const std::string_view> keys) const {
  std::vector<Shard*> shards;
  shards.reserve(keys.size());
  for (const std::string_view key : keys) shards.push_back(&shard_of(key));
  std::ranges::sort(shards);
  shards.erase(std::unique(shards.begin(), shards.end()), shards.end());
  std::vector<std::unique_lock<std::mutex>> locks;
  locks.reserve(shards.size());
  for (Shard* shard : shards) locks.emplace_back(shard->mutex);
  return locks;
}

ItemClaims::Claim ItemClaims::claim(std::span<const std::string_view> keys,
                                    std::vector<bool>& conflicts) {
  conflicts.clear();
  const auto locks = lock_shards(keys);
  const auto is_held = [this](std::string_view key) { return shard_of(key).keys.contains(key); };
  if (std::ranges::any_of(keys, is_held)) {
    for (const std::string_view key : keys) conflicts.push_back(is_held(key));
    conflicts_.fetch_add(static_cast<std::uint64_t>(std::ranges::count(conflicts, true)),
                         std::memory_order_relaxed);
    return {};
  }
  for (const std::string_view key : keys) shard_of(key).keys.insert(key);
  held_.fetch_add(narrow<std::uint32_t>(keys.size()), std::memory_order_release);
  return Claim(*this, keys);
}

std::vector<bool> ItemClaims::conflicts(std::span<const std::string_view> keys) const {
  std::vector<bool> flags;
  flags.reserve(keys.size());
  for (const std::string_view key : keys) flags.push_back(is_claimed(key));
  return flags;
}

void ItemClaims::release(std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) {
    Shard& shard = shard_of(key);
    const std::lock_guard lock(shard.mutex);
    shard.keys.erase(key);
  }
  held_.fetch_sub(narrow<std::uint32_t>(keys.size()), std::memory_order_release);
}

}  // namespace magneto::storage
