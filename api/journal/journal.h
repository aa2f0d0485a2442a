#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/journal/journal_record.h"

namespace magneto::api {

// Which records are meant. Empty members: all.
struct JournalFilter {
  std::uint64_t after = 0;  // later ones only
  std::string operation = {};
  std::string table = {};
  std::string error = {};
  std::optional<int> status = {};  // of HTTP; below 10 the class: 4 for all from 400 to 499

  bool matches(const JournalRecord& record) const;
};

// The last requests, as many as so many bytes hold. Thread-safe.
class Journal {
 public:
  static constexpr std::size_t kLeastBytes = 64 << 10;
  static constexpr std::size_t kMostBytes = 256 << 20;
  // What a journal keeps even where all journals together, fault rules and insights have what they may
  // (SideMemory).
  static constexpr std::size_t kKeptBytes = 16 << 10;
  // Of one body; a longer one is not kept.
  static constexpr std::size_t kMaxBody = 1 << 20;
  static constexpr std::size_t kMaxWaiters = 1'000;

  struct Settings {
    bool on = false;
    bool bodies = false;
    std::size_t bytes = 4 << 20;
  };
  using Record = std::shared_ptr<const JournalRecord>;
  struct Page {
    std::vector<Record> records;
    std::uint64_t next = 0;     // what `after` is for the page that follows
    std::uint64_t dropped = 0;  // records behind `after` for which there was no room any more
  };

  // `name_space`: whose requests these are.
  explicit Journal(std::string name_space) : name_space_(std::move(name_space)) {}
  Journal(std::string name_space, Settings settings);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // For who has no journal: it is never on.
  static Journal& none();

  const std::string& name_space() const { return name_space_; }
  // While it is off nothing is to be appended.
  bool is_on() const { return on_.load(std::memory_order_relaxed); }
  bool keeps_bodies() const { return bodies_.load(std::memory_order_relaxed); }
  Settings settings() const;
  // What no longer fits is dropped. Switched off it keeps what it has.
  void change(const Settings& settings);
  void clear();

  // Gives the record its number, and wakes who waits.
  void append(JournalRecord record);
  // The number of the last record there was.
  std::uint64_t last_number() const;

  // At most `limit` records, in their order.
  Page read(const JournalFilter& filter, std::size_t limit) const;

  // Calls `wake` once, as soon as there is a record later than `after`: now, or on the thread that
  // appends it. Gives back a ticket for stop_waiting(); 0 when it was called. Throws DialError (429)
  // when too many wait.
  std::uint64_t wait(std::uint64_t after, std::function<void()> wake);
  // After it `wake` is not called any more, unless that has begun.
  void stop_waiting(std::uint64_t ticket);

 private:
  // With the mutex.
  void drop_oldest();
  bool is_over() const;

  const std::string name_space_;
  std::atomic<bool> on_{false};
  std::atomic<bool> bodies_{false};

  mutable std::mutex mutex_;  // of what follows
  std::size_t limit_ = Settings{}.bytes;
  std::size_t bytes_ = 0;
  std::deque<Record> ring_;
  std::uint64_t first_ = 1;    // the number of the first in the ring, or of the next one
  std::uint64_t cleared_ = 0;  // the last number that was cleared by intent
  std::uint64_t last_ticket_ = 0;
  std::map<std::uint64_t, std::function<void()>> waiters_;
};

}  // namespace magneto::api
