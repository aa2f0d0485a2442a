#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "api/side_memory.h"

namespace magneto::api {

// Memory that several summaries share, a part of SideMemory. Not thread-safe.
class KeyBudget {
 public:
  explicit KeyBudget(std::size_t bytes) : bytes_(bytes), left_(bytes) {}
  ~KeyBudget() { SideMemory::of_process().give_back(bytes_ - left_); }
  KeyBudget(const KeyBudget&) = delete;
  KeyBudget& operator=(const KeyBudget&) = delete;

  // Returns false, and takes nothing, if less than `bytes` is left.
  bool take(std::size_t bytes) {
    if (bytes > left_ || !SideMemory::of_process().take(bytes)) return false;
    left_ -= bytes;
    return true;
  }
  void give_back(std::size_t bytes) {
    left_ += bytes;
    SideMemory::of_process().give_back(bytes);
  }
  std::size_t left() const { return left_; }

 private:
  const std::size_t bytes_;
  std::size_t left_;
};

// Finds the most frequent keys of a stream in bounded memory, by the space-saving algorithm
// (Metwally, Agrawal, El Abbadi, "Efficient Computation of Frequent and Top-k Elements in Data
// Streams", 2005). A new key replaces the rarest one and inherits its count, which becomes its
// error. A key with more than n / kMaxKeys of n occurrences is certainly kept, unless long keys
// leave no room for kMaxKeys keys. A step takes logarithmic time in kMaxKeys. Not thread-safe.
class KeySummary {
 public:
  static constexpr std::size_t kMaxKeys = 128;
  static constexpr std::size_t kMaxKeyBytes = 16 << 10;  // all keys together

  // A key has occurred at most `count` times, and at least `count - error`.
  struct Counted {
    std::string_view key;  // valid until the next add()
    std::uint64_t count;
    std::uint64_t error;
  };

  // `room` must outlive this object.
  explicit KeySummary(KeyBudget& room) : room_(room) {}
  ~KeySummary();
  KeySummary(const KeySummary&) = delete;
  KeySummary& operator=(const KeySummary&) = delete;

  void add(std::string_view key);

  std::size_t size() const { return order_.size(); }
  Counted at(std::size_t rank) const;  // rank below size(), the most frequent first
  // The largest possible number of occurrences of a key that is not kept.
  std::uint64_t floor() const { return floor_; }

  // The memory that a key of this size takes from the room.
  static std::size_t cost(std::size_t key_bytes);

 private:
  using Slot = std::uint16_t;
  struct Counter {
    std::string key;
    std::uint64_t count = 0;
    std::uint64_t error = 0;
    std::uint16_t rank = 0;
  };

  bool take_room(std::size_t key_bytes);
  void insert(std::string_view key);
  void forget_last();
  void raise(Slot slot);

  KeyBudget& room_;
  std::deque<Counter> counters_;  // stable addresses: the keys of slots_ point into them
  std::vector<Slot> free_;
  std::vector<Slot> order_;  // by descending count
  absl::flat_hash_map<std::string_view, Slot> slots_;
  std::size_t key_bytes_ = 0;
  std::uint64_t floor_ = 0;
};

}  // namespace magneto::api
