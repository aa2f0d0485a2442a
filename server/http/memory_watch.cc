#include "server/http/memory_watch.h"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

#include "api/side_memory.h"
#include "server/system/counted.h"
#include "server/system/log.h"
#include "server/system/log_messages.h"
#include "server/system/program_pages.h"
#include "storage/engine/processors.h"
#include "storage/table/memory_budget.h"

namespace magneto::server::http {
namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t kMegabyteWatched = 1 << 20;
constexpr milliseconds kLongestPause{1000};
constexpr milliseconds kShortestPause{2};
constexpr milliseconds kFullPause{50};
// More than writers on a few processors can add.
constexpr std::uint64_t kBytesPerMillisecond = 2 * kMegabyteWatched;
// Writers count the bytes that they add once less than this is left. Above it, even several pauses
// and a late thread are no danger.
constexpr std::uint64_t kCountedBytes = 512 * kMegabyteWatched;
constexpr std::size_t kTrimmedBytes = 64 * kMegabyteWatched;
// mallopt(3). malloc_trim() does not trim the end of a thread's arena. By default, glibc lets that
// end grow to 64 MB per thread once a large block was freed. Blocks of answers come from arenas,
// since mapping each block costs more than filling it.
constexpr std::uint64_t kFreeEndOfArena = 8 * kMegabyteWatched;
constexpr std::uint64_t kArenasOfAProcessor = 8;  // mallopt(3), M_ARENA_MAX
// the share of the limit for the free ends of all arenas
constexpr std::uint64_t kFreeEndsPart = 8;
constexpr int kMappedBlock = 4 << 20;
// Memory that is no longer counted may be freed a little later, so a flood is over only after
// several trims that free nothing.
constexpr int kVainTrims = 4;
// A trim takes up to a few hundred milliseconds of a processor.
constexpr milliseconds kShortestTrimPause{250};
constexpr milliseconds kLongestTrimPause{2000};
constexpr milliseconds kReportPause{1000};
// The start and its first requests are over by then.
constexpr milliseconds kStart{100};
constexpr std::uint64_t kSidePart = 8;  // the share of the limit for SideMemory

// Writes are refused from refusing_at() on, and accepted again below taking_at().
std::uint64_t refusing_at(std::uint64_t limit) { return limit / 10 * 9; }
std::uint64_t taking_at(std::uint64_t limit) { return limit / 100 * 88; }
// The rest of the limit is for the system, and for threads that react late.
std::uint64_t most_of(std::uint64_t limit) { return limit / 100 * 95; }

std::uint64_t left_until(std::uint64_t most, std::uint64_t resident) {
  return most - std::min(most, resident);
}
// The amount of data that fits, as MemoryBudget counts it.
std::int64_t data_in(std::uint64_t memory) {
  return static_cast<std::int64_t>(memory) / storage::MemoryBudget::kMemoryOfAByte;
}

int free_end_of_arena(std::uint64_t limit) {
  const std::uint64_t arenas = kArenasOfAProcessor * storage::processor_count();
  return static_cast<int>(
      std::clamp(limit / kFreeEndsPart / arenas, kMegabyteWatched / 4, kFreeEndOfArena));
}

}  // namespace

MemoryWatch::MemoryWatch(std::uint64_t limit, std::size_t held_limit, ConnectionMemoryBudget& held,
                         storage::MemoryBudget& room, std::function<bool()> has_data_in_memory,
                         std::function<std::uint64_t()> count_ended)
    : limit_(limit),
      held_limit_(held_limit),
      held_(held),
      room_(room),
      has_data_in_memory_(std::move(has_data_in_memory)),
      count_ended_(std::move(count_ended)),
      statistics_(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC)),
      trim_pause_(kShortestTrimPause) {
  api::SideMemory::of_process().set_limit(static_cast<std::size_t>(limit_ / kSidePart));
  if (statistics_ < 0) {
    system::log(system::LogLevel::kWarning, system::messages::kNoMemoryLimit);
    return;
  }
  ::mallopt(M_TRIM_THRESHOLD, free_end_of_arena(limit_));
  ::mallopt(M_MMAP_THRESHOLD, kMappedBlock);
  room_.set_meter([this] { measure_room(); },
                  [this] {
                    ::malloc_trim(0);
                    measure_room();
                  });
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& error) {
    system::log(system::LogLevel::kWarning, system::messages::kNoMemoryWatch(error.what()));
  }
}

MemoryWatch::~MemoryWatch() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stop_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (statistics_ >= 0) ::close(statistics_);
}

void MemoryWatch::tell_left(LeftListener listener) {
  const std::lock_guard lock(listener_mutex_);
  listener_ = std::move(listener);
}

void MemoryWatch::run() {
  const auto must_stop_after = [this](milliseconds pause) {
    std::unique_lock lock(mutex_);
    return stop_.wait_for(lock, pause, [this] { return stopping_; });
  };
  if (must_stop_after(std::min(look(), kStart))) return;
  system::release_program_pages();
  while (!must_stop_after(look())) {
  }
}

// Measures and adjusts the limits. Returns the pause until the next look.
milliseconds MemoryWatch::look() {
  const std::uint64_t resident = resident_bytes();
  const std::uint64_t free = left_until(most_of(limit_), resident);
  held_.set_limit(std::min<std::uint64_t>(held_limit_, free));
  {
    const std::lock_guard lock(listener_mutex_);
    if (listener_) listener_(free);
  }
  const bool is_for_data = has_data_in_memory_();
  if (is_for_data) measure_room();
  report_slow_clients();
  system::write_held_lines(false);
  trim_if_due(resident);
  const std::uint64_t left = left_until(refusing_at(limit_), resident);
  return std::clamp(milliseconds(left / kBytesPerMillisecond),
                    is_for_data && room_.is_full() ? kFullPause : kShortestPause, kLongestPause);
}

std::uint64_t MemoryWatch::resident_bytes() const {
  std::array<char, 128> text;
  const ssize_t size = ::pread(statistics_, text.data(), text.size(), 0);
  if (size <= 0) return 0;
  // proc(5): "size resident shared ...", in pages.
  const std::string_view numbers(text.data(), static_cast<std::size_t>(size));
  const std::size_t blank = numbers.find(' ');
  std::uint64_t pages = 0;
  if (blank != std::string_view::npos) {
    std::from_chars(numbers.data() + blank + 1, numbers.data() + numbers.size(), pages);
  }
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void MemoryWatch::report_slow_clients() {
  const Clock::time_point now = Clock::now();
  if (now < next_report_) return;
  const std::size_t count = held_.take_evicted();
  if (count == 0) return;
  next_report_ = now + kReportPause;
  system::log_sparsely(system::LogSource::kConnections, system::LogLevel::kWarning,
                       system::messages::kHungUp(system::counted(count, "slow client")));
}

// Writers also call this.
void MemoryWatch::measure_room() {
  const std::lock_guard lock(room_mutex_);
  const std::uint64_t resident = resident_bytes();
  const std::uint64_t refusing = refusing_at(limit_);
  const bool was_full = full_;
  full_ = resident >= (full_ ? taking_at(limit_) : refusing);
  if (full_ != was_full) {
    const std::uint64_t taken = resident / kMegabyteWatched;
    const std::uint64_t limit = limit_ / kMegabyteWatched;
    system::log_sparsely(system::LogSource::kMemory, system::LogLevel::kWarning,
                         full_ ? system::messages::kWritesRefused(taken, limit)
                               : system::messages::kWritesTaken(taken, limit));
  }
  const std::uint64_t left = full_ ? 0 : left_until(refusing, resident);
  room_.set(left > kCountedBytes ? storage::MemoryBudget::kPlenty : data_in(left),
            data_in(left_until(most_of(limit_), resident)));
}

void MemoryWatch::trim_if_due(std::uint64_t resident) {
  const std::size_t beside = held_.beside();
  held_peak_ = std::max(held_peak_, held_.take_peak() + beside);
  const std::size_t held = held_.bytes() + beside;
  if (held_peak_ > held + kTrimmedBytes) {
    flood_ = true;
    vain_trims_ = 0;
  }
  const bool is_over = held_.bytes() <= kTrimmedBytes / 16;
  const bool flood_ebbs = flood_ && (is_over || held_peak_ > held + kTrimmedBytes / 16);
  const bool is_full = has_data_in_memory_() && room_.is_full();
  // Events of functions, jobs and caches also leave holes in the heap.
  const bool is_near_limit = is_full || resident >= refusing_at(limit_);
  if (Clock::now() < next_trim_) return;
  if (have_namespaces_ended() && !flood_ebbs && !is_near_limit) {
    trim(resident);
    return;
  }
  if (!flood_ebbs && !is_near_limit) return;
  held_peak_ = held;
  if (trim(resident) || !is_over) {
    vain_trims_ = 0;
  } else if (++vain_trims_ == kVainTrims) {
    flood_ = false;
  }
}

// True if namespaces have ended since the last trim, and none since the last look. A trim must not
// slow down tests that still create and drop forks.
bool MemoryWatch::have_namespaces_ended() {
  const std::uint64_t ended = count_ended_();
  if (std::exchange(ended_, ended) != ended || ended == ended_before_) return false;
  ended_before_ = ended;
  return true;
}

// Returns whether the trim freed memory. While trims free nothing, the pause grows.
bool MemoryWatch::trim(std::uint64_t resident) {
  ::malloc_trim(0);
  const std::uint64_t after = resident_bytes();
  const bool brought = after + resident / 100 < resident;
  trim_pause_ = brought ? kShortestTrimPause : std::min(trim_pause_ * 2, kLongestTrimPause);
  next_trim_ = Clock::now() + trim_pause_;
  return brought;
}

}  // namespace magneto::server::http
