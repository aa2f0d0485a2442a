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

// Which tables are told apart by those who count: the first kMost that are asked for, whichever
// these are, for as long as the process runs. So what is kept for each is bounded, however many
// tables there are and come. Thread-safe; finding a name takes no lock.
class TableLabels {
 public:
  static constexpr std::size_t kMost = 200;
  // The place of all others.
  static constexpr std::size_t kOthers = kMost;

  // So that a label that has its slot never lacks room among labels_.
  TableLabels() { labels_.reserve(kMost); }
  TableLabels(const TableLabels&) = delete;
  TableLabels& operator=(const TableLabels&) = delete;

  // The same for the same name, always.
  std::size_t place_of(std::string_view name);
  // In the order of their places.
  std::vector<std::string> names() const;

 private:
  struct Label {
    std::string name;
    std::size_t place;
  };
  // So that chains stay short: names are at most some 40 %.
  static constexpr std::size_t kSlots = 512;

  static std::size_t slot_of(std::string_view name);

  std::array<std::atomic<const Label*>, kSlots> slots_{};
  std::atomic<bool> full_{false};
  mutable std::mutex mutex_;  // guards what follows, and who fills a slot
  std::vector<std::unique_ptr<const Label>> labels_;
};

}  // namespace magneto::server::http
