#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace magneto::server::http {

// Chooses the tables that are counted separately: the first kMost tables that are asked for, for
// the lifetime of the process. So the memory for counters is bounded, however many tables exist
// over time. Thread-safe; finding a name takes no lock.
class TableLabels {
 public:
  static constexpr std::size_t kMost = 200;
  // The common place of all other tables.
  static constexpr std::size_t kOthers = kMost;

  // Reserves the memory, so that labels_ always has room for a label that is already in its slot.
  TableLabels() { labels_.reserve(kMost); }
  TableLabels(const TableLabels&) = delete;
  TableLabels& operator=(const TableLabels&) = delete;

  // Always returns the same place for the same name.
  std::size_t place_of(std::string_view name);
  // Ordered by place.
  std::vector<std::string> names() const;

 private:
  struct Label {
    std::string name;
    std::size_t place;
  };
  // Names fill at most some 40 % of the slots, so that chains stay short.
  static constexpr std::size_t kSlots = 512;

  static std::size_t slot_of(std::string_view name);

  std::array<std::atomic<const Label*>, kSlots> slots_{};
  std::atomic<bool> full_{false};
  mutable std::mutex mutex_;  // guards the members below, and the filling of slots
  std::vector<std::unique_ptr<const Label>> labels_;
};

}  // namespace magneto::server::http
