#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "storage/table/write_refused.h"

namespace magneto::storage {

// Thrown if a write to a strongly consistent table meets a write of the same item in another region
// (AWS API reference, "ReplicatedWriteConflictException").
class ReplicatedWriteConflict : public WriteRefused {};

// The items of strongly consistent tables that are being written, with the region of the write.
// Writes of one region wait for each other; writes of another region are refused. Thread-safe.
class RegionClaims {
 public:
  // One item: its key in all regions, and the number of the table in which it is requested.
  struct Wanted {
    std::string item;
    std::uint32_t table = 0;
  };

  // Ends the claim when destroyed.
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

  // Claims all of the items, or throws ReplicatedWriteConflict if another region has one.
  Claim claim(std::vector<Wanted> wanted);

 private:
  struct Holder {
    std::uint32_t table;
    std::uint32_t writes;
  };

  void release(const std::vector<Wanted>& held);

  // guards holders_; held briefly, for a few items of strongly consistent tables
  std::mutex mutex_;
  absl::flat_hash_map<std::string, Holder> holders_;
};

}  // namespace magneto::storage
