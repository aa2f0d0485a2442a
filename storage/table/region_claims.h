#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "storage/table/write_refused.h"

namespace magneto::storage {

// A write of a strongly consistent table met one of another region of the same item (AWS API
// reference, "ReplicatedWriteConflictException").
class ReplicatedWriteConflict : public WriteRefused {};

// The items that are being written of strongly consistent tables, and in which of their regions:
// writes of one region wait for each other, those of another are refused. Thread-safe.
class RegionClaims {
 public:
  // One item: what all regions call it, and the number of the table in which it is asked for.
  struct Wanted {
    std::string item;
    std::uint32_t table = 0;
  };

  // Ends when destroyed.
  class Claim {
   public:
    Claim(RegionClaims& claims, std::vector<Wanted> held)
        : claims_(claims), held_(std::move(held)) {}
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;
    ~Claim() { claims_.release(held_); }

   private:
    RegionClaims& claims_;
    const std::vector<Wanted> held_;
  };

  // All of them, or throws ReplicatedWriteConflict where another region has one.
  Claim claim(std::vector<Wanted> wanted);

 private:
  struct Holder {
    std::uint32_t table;
    std::uint32_t writes;
  };

  void release(const std::vector<Wanted>& held);

  std::mutex mutex_;  // guards holders_; held for a few items, of strongly consistent tables alone
  absl::flat_hash_map<std::string, Holder> holders_;
};

}  // namespace magneto::storage
