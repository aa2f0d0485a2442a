#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "server/feeds/delivery/delivery_positions.h"

namespace magneto::server::feeds {

// How far mappings have come, under keys: in a folder over restarts, without one while the process
// runs. Thread-safe.
class SourcePositions {
 public:
  using Warn = std::function<void(std::string_view what)>;

  // An empty folder: none.
  SourcePositions(const std::string& folder, Warn warn)
      : is_durable_(!folder.empty()), files_(folder, std::move(warn)) {}

  std::vector<std::uint64_t> load(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    if (is_durable_) return files_.load_all(key);
    const auto found = kept_.find(key);
    return found == kept_.end() ? std::vector<std::uint64_t>() : found->second;
  }
  void store(const std::string& key, const std::vector<std::uint64_t>& positions) {
    const std::lock_guard lock(mutex_);
    if (is_durable_) {
      files_.store_all(key, positions);
    } else {
      kept_[key] = positions;
    }
  }
  void forget(const std::string& key) {
    const std::lock_guard lock(mutex_);
    files_.forget(key);
    kept_.erase(key);
  }

 private:
  const bool is_durable_;
  mutable std::mutex mutex_;  // guards what follows
  DeliveryPositions files_;
  std::map<std::string, std::vector<std::uint64_t>> kept_;
};

// How far the lanes of one shard have come, for one mapping. Thread-safe.
class ShardProgress {
 public:
  // Where nothing is kept under the key, all begin at `bounds.begin`; where it is of another number of
  // lanes, at the lowest that is kept.
  ShardProgress(SourcePositions& positions, std::string key, std::uint32_t lanes,
                const PositionBounds& bounds);

  std::uint64_t at(std::uint32_t lane) const;
  // `keeps`: over restarts too, with what the other lanes have.
  void move(std::uint32_t lane, std::uint64_t position, bool keeps);
  std::uint64_t lowest() const;
  void forget() { positions_.forget(key_); }

 private:
  SourcePositions& positions_;
  const std::string key_;
  mutable std::mutex mutex_;  // guards what follows
  std::vector<std::uint64_t> at_;
};

}  // namespace magneto::server::feeds
