#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <utility>

#include "storage/engine/engine.h"

namespace magneto::storage {

// The state that a read sees: the newest, or that of one moment. Made by StaleReads.
class ReadView {
 public:
  ReadView() = default;
  explicit ReadView(SnapshotPtr snapshot) : snapshot_(std::move(snapshot)) {}

  bool is_newest() const { return snapshot_ == nullptr; }
  const Reader& or_newest(const Engine& engine) const {
    return snapshot_ == nullptr ? static_cast<const Reader&>(engine) : *snapshot_;
  }

 private:
  SnapshotPtr snapshot_;
};

// Lets eventually consistent reads see the state before the last writes, to test clients that must
// cope with it. While it is on, it keeps the state after each commit, up to a limit. While it is
// off, it costs a read and a write one load each. Thread-safe.
class StaleReads {
 public:
  static constexpr std::size_t kMaxVersions = 1'000;

  struct Settings {
    // The probability that a read sees a state before the newest. Each of those states is equally
    // likely.
    double probability = 0;
    std::uint64_t seed = 0;    // the same seed makes the same choices for reads in the same order
    std::size_t versions = 1;  // how many commits a read may be behind, 1 to kMaxVersions
    // All reads see the state at the moment of set(), until release(). `versions` then is how many
    // commits they can be behind; further commits advance the state.
    bool is_held = false;
  };

  // `engine` must outlive it.
  explicit StaleReads(Engine& engine) : engine_(engine) {}

  bool is_on() const { return is_on_.load(std::memory_order_relaxed); }
  // Takes effect now. Throws std::invalid_argument if a number is out of bounds.
  void set(const Settings& settings);
  void turn_off();
  Settings settings() const;

  // If reads are held: advances their state by up to `commits` commits. Returns how many commits
  // they are still behind.
  std::size_t release(std::size_t commits);
  // How many commits a read can be behind now.
  std::size_t versions_behind() const;

  // ---- while it is on --------------------------------------------------------------------------

  // The view for the next read.
  ReadView choose();
  // Called after each write.
  void record_commit();

 private:
  Engine& engine_;
  std::atomic<bool> is_on_{false};
  mutable std::mutex mutex_;  // guards the next members
  Settings settings_;
  std::deque<SnapshotPtr> states_;  // after each commit, the newest last
  std::unique_ptr<std::mt19937_64> random_;
};

}  // namespace magneto::storage
