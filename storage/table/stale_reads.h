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

// What a read sees: the newest state, or all as it was at one moment. Made by StaleReads.
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

// Lets eventually consistent reads see what was there before the last writes, for tests of clients
// that must live with it. While it is on, what each commit leaves is kept, up to a number of them.
// Off it costs a read and a write one load each. Thread-safe.
class StaleReads {
 public:
  static constexpr std::size_t kMaxVersions = 1'000;

  struct Settings {
    // How likely a read is to see one of the states before the newest, each as likely.
    double probability = 0;
    std::uint64_t seed = 0;    // the same seed chooses the same for reads in the same order
    std::size_t versions = 1;  // how many commits a read may be behind, 1 to kMaxVersions
    // Reads all see the state of the moment when this was set, until release(). Then `versions` is
    // how many commits they can be behind: what is more moves them on.
    bool is_held = false;
  };

  // `engine` outlives it.
  explicit StaleReads(Engine& engine) : engine_(engine) {}

  bool is_on() const { return is_on_.load(std::memory_order_relaxed); }
  // From now on. Throws std::invalid_argument where a number is out of bounds.
  void set(const Settings& settings);
  void turn_off();
  Settings settings() const;

  // Where reads are held: lets them see what that many commits more have left, at most all. Returns
  // how many they are still behind.
  std::size_t release(std::size_t commits);
  // How many commits a read can be behind now.
  std::size_t versions_behind() const;

  // ---- while it is on --------------------------------------------------------------------------

  // What the next read sees.
  ReadView choose();
  // A write has returned.
  void note_commit();

 private:
  Engine& engine_;
  std::atomic<bool> is_on_{false};
  mutable std::mutex mutex_;  // guards what follows
  Settings settings_;
  std::deque<SnapshotPtr> states_;  // after each commit, the newest last
  std::unique_ptr<std::mt19937_64> random_;
};

}  // namespace magneto::storage
