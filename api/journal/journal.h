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

// Selects records. Empty members match all records.
struct JournalFilter {
  std::uint64_t after = 0;  // only records with a higher number
  std::string operation = {};
  std::string table = {};
  std::string error = {};
  std::optional<int> status = {};  // HTTP status; below 10 its class: 4 for 400 to 499

  bool matches(const JournalRecord& record) const;
};

// A journal of the last requests, in a limited number of bytes. Thread-safe.
class Journal {
 public:
  static constexpr std::size_t kLeastBytes = 64 << 10;
  static constexpr std::size_t kMostBytes = 256 << 20;
  // The size that a journal may always keep, even if all journals, fault rules and insights
  // together have reached their limit (SideMemory).
  static constexpr std::size_t kKeptBytes = 16 << 10;
  // The limit for one body; longer bodies are not stored.
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
    std::uint64_t next = 0;     // `after` for the next page
    std::uint64_t dropped = 0;  // records after `after` that were dropped for lack of space
  };

  // `name_space`: the namespace of the requests.
  explicit Journal(std::string name_space) : name_space_(std::move(name_space)) {}
  Journal(std::string name_space, Settings settings);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // For services without a journal: this object is never on.
  static Journal& none();

  const std::string& name_space() const { return name_space_; }
  // While it is off, do not append records.
  bool is_on() const { return on_.load(std::memory_order_relaxed); }
  bool keeps_bodies() const { return bodies_.load(std::memory_order_relaxed); }
  Settings settings() const;
  // Drops records that no longer fit. A journal that is switched off keeps its records.
  void change(const Settings& settings);
  void clear();

  // Numbers the record, and wakes waiting clients.
  void append(JournalRecord record);
  // The number of the last record.
  std::uint64_t last_number() const;

  // At most `limit` records, in their order.
  Page read(const JournalFilter& filter, std::size_t limit) const;

  // Calls `wake` once, as soon as there is a record later than `after`: immediately, or on the
  // thread that appends the record. Returns a ticket for stop_waiting(); 0 if `wake` has already
  // been called. Throws ControlError (429) if too many clients wait.
  std::uint64_t wait(std::uint64_t after, std::function<void()> wake);
  // Afterwards `wake` is not called any more, unless the call has already begun.
  void stop_waiting(std::uint64_t ticket);

 private:
  // The next two functions require the mutex.
  void drop_oldest();
  bool is_over() const;

  const std::string name_space_;
  std::atomic<bool> on_{false};
  std::atomic<bool> bodies_{false};

  mutable std::mutex mutex_;  // guards the members below
  std::size_t limit_ = Settings{}.bytes;
  std::size_t bytes_ = 0;
  std::deque<Record> ring_;
  std::uint64_t first_ = 1;    // number of the first record in ring_, or of the next record
  std::uint64_t cleared_ = 0;  // the last number that clear() removed
  std::uint64_t last_ticket_ = 0;
  std::map<std::uint64_t, std::function<void()>> waiters_;
};

}  // namespace magneto::api
