#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "storage/table/write_refused.h"

namespace magneto::storage {

// Thrown if a plain write meets an item that a transaction holds (AWS API reference,
// "TransactionConflictException").
class TransactionConflict : public WriteRefused {};

// The items that running transactions hold. A claim lasts from before a transaction locks its keys
// until it has ended. Other requests for the items are refused meanwhile. Thread-safe.
class ItemClaims {
 public:
  // Ends the claim when destroyed.
  class Claim {
   public:
    Claim() = default;
    Claim(ItemClaims& claims, std::span<const std::string_view> keys)
        : claims_(&claims), keys_(keys.begin(), keys.end()) {}
    Claim(Claim&& other) noexcept : claims_(other.claims_), keys_(std::move(other.keys_)) {
      other.claims_ = nullptr;
    }
    Claim& operator=(Claim&&) = delete;
    ~Claim();

   private:
    ItemClaims* claims_ = nullptr;
    std::vector<std::string_view> keys_;
  };

  // Claims all of the distinct keys, which must outlive the claim, and leaves `conflicts` empty. If
  // other transactions hold some keys, claims none and sets a flag for each key in `conflicts`.
  Claim claim(std::span<const std::string_view> keys, std::vector<bool>& conflicts);

  // One flag for each key: whether a transaction holds it now.
  std::vector<bool> conflicts(std::span<const std::string_view> keys) const;

  // Cheap while no transaction runs.
  bool is_claimed(std::string_view key) const {
    return held_.load(std::memory_order_acquire) != 0 && contains(key);
  }

  // How many requests for an item met a transaction that held it.
  std::uint64_t conflict_count() const { return conflicts_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kShards = 64;
  struct alignas(64) Shard {
    std::mutex mutex;  // guards keys
    absl::flat_hash_set<std::string_view> keys;
  };

  Shard& shard_of(std::string_view key) const;
  bool contains(std::string_view key) const;
  void release(std::span<const std::string_view> keys);
  std::vector<std::unique_lock<std::mutex>> lock_shards(
      std::span<const std::string_view> keys) const;

  std::atomic<std::uint32_t> held_{0};  // keys claimed in all shards
  mutable std::atomic<std::uint64_t> conflicts_{0};
  mutable std::array<Shard, kShards> shards_;
};

}  // namespace magneto::storage
