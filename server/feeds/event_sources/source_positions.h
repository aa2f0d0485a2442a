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

// The positions of mappings, by key. With a folder they survive restarts, else they last as long as
// the process. Thread-safe.
class SourcePositions {
 public:
  using Warn = std::function<void(std::string_view what)>;

  // With an empty folder no files are written.
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
  mutable std::mutex mutex_;  // guards the members below
  DeliveryPositions files_;
  std::map<std::string, std::vector<std::uint64_t>> kept_;
};

// The positions of the lanes of one shard, for one mapping. Thread-safe.
class ShardProgress {
 public:
  // If the key has no stored positions, all lanes begin at `bounds.begin`. If it has those of
  // another number of lanes, all begin at the lowest one.
  ShardProgress(SourcePositions& positions, std::string key, std::uint32_t lanes,
                const PositionBounds& bounds);

  std::uint64_t at(std::uint32_t lane) const;
  // `keeps`: also stores the positions of all lanes.
  void move(std::uint32_t lane, std::uint64_t position, bool keeps);
  std::uint64_t lowest() const;
  void forget() { positions_.forget(key_); }

 private:
  SourcePositions& positions_;
  const std::string key_;
  mutable std::mutex mutex_;  // guards the members below
  std::vector<std::uint64_t> at_;
};

}  // namespace magneto::server::feeds
