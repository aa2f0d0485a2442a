#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace magneto::storage {

// A log that can allocate disk space past its end.
class PreallocatingLog {
 public:
  virtual ~PreallocatingLog() = default;
  // Allocates `bytes` past the log's end and returns how many bytes were added; 0 if the disk is
  // full. Called under the lock of the WalReservation.
  virtual std::uint64_t allocate_ahead(std::uint64_t bytes) = 0;
};

// Reserves disk space for the write-ahead log (WAL): allocated past its end, and in preallocated
// segments, files that become the next logs. After a record that failed half-way, or a log that
// could not be started, RocksDB 7.8 must be reopened. So a write is admitted only if neither can
// happen for lack of space, for any behaviour of the other admitted writes:
//
//   - each write may start a new log, so there is a segment for each;
//   - any of these logs may get the records of all writes, so each segment, and the rest of the
//     current log, has room for all records.
//
// A write whose record is longer than a segment is admitted alone.
//
// One segment, and some room in each log, are kept for writes that free space, so that tables and
// items can be deleted when nothing else can be written. Thread-safe.
class WalReservation {
 public:
  static constexpr std::uint64_t kAhead = 8ULL << 20;   // allocated past the end of a log
  static constexpr std::uint64_t kAmple = kAhead / 2;   // when less is left, more is allocated
  static constexpr std::uint64_t kSegment = 512 << 10;  // allocated to a segment
  static constexpr std::uint64_t kReserve = 128 << 10;  // of it, for writes that free space
  static constexpr std::size_t kReservedSegments = 1;
  static constexpr std::size_t kFewestSegments = 2 + kReservedSegments;
  // For at most this many concurrent writes, without the reserved segment.
  static constexpr std::size_t kMostSegments = 64;

  // Creates segments `segment_path` + "0", "1", ..., or takes over those that a killed process
  // left. No other file may have a path that begins with `segment_path`. Throws EngineError.
  explicit WalReservation(std::string segment_path);
  ~WalReservation();
  WalReservation(const WalReservation&) = delete;
  WalReservation& operator=(const WalReservation&) = delete;

  // Permission to append a record and to start a new log, until destroyed.
  class Permit {
   public:
    Permit(Permit&& other) noexcept
        : space_(std::exchange(other.space_, nullptr)), share_(other.share_) {}
    Permit& operator=(Permit&&) = delete;
    ~Permit() {
      if (space_ != nullptr) space_->release(share_);
    }
    // False if the disk has no space: do not write.
    explicit operator bool() const { return space_ != nullptr; }

   private:
    friend class WalReservation;
    Permit(WalReservation* space, std::uint64_t share) : space_(space), share_(share) {}
    WalReservation* space_;
    std::uint64_t share_;
  };

  enum class Purpose : std::uint8_t { kAny, kFreeSpace };

  // Admits a write of `bytes`. Waits while other threads hold the space that it needs. A thread
  // holds one permit at a time.
  Permit admit(std::uint64_t bytes, Purpose purpose);

  // False if the filesystem cannot allocate space to files; every write is admitted then.
  bool is_supported() const { return is_supported_; }

  // Turns a segment into the file at this path and returns the bytes allocated to it; 0 if there
  // was none.
  std::uint64_t take_segment(const std::string& log_path);
  // Sets the log that is written from now on, and the bytes allocated to it.
  void set_current(PreallocatingLog& log, std::uint64_t allocated);
  // `bytes` were appended to `log`.
  void record_append(const PreallocatingLog& log, std::uint64_t bytes);
  // `log` is no longer written.
  void leave(const PreallocatingLog& log);

 private:
  // The admitted writes in one number: their count in the upper bits, the bytes of their records in
  // the lower ones.
  static constexpr std::uint64_t kOneWrite = 1ULL << 48;
  static constexpr std::uint64_t kMostBytes = kSegment - kReserve;

  // The space that a write of this purpose must leave for others.
  struct Kept {
    explicit Kept(Purpose purpose)
        : room(purpose == Purpose::kAny ? kReserve : 0),
          segments(purpose == Purpose::kAny ? kReservedSegments : 0) {}
    std::int64_t room;
    std::size_t segments;
  };

  bool fits(std::uint64_t admitted, Kept kept) const;
  void release(std::uint64_t share);
  Permit admit_slowly(std::uint64_t share, Kept kept);

  // The rest require mutex_.
  enum class Answer : std::uint8_t { kAdmitted, kWait, kFull };
  Answer try_to_admit(std::uint64_t share, Kept kept);
  bool make_room_for(std::uint64_t bytes, Kept kept);
  bool grow_current(std::uint64_t bytes);
  void replenish();
  int make_segment();  // 0 or errno
  int allocate_segment(std::size_t number, std::uint64_t bytes) const;
  std::string path_of_segment(std::size_t number) const;

  const std::string segment_path_;
  bool is_supported_ = true;

  std::atomic<std::uint64_t> admitted_ = 0;
  std::atomic<std::int64_t> room_ = 0;  // bytes allocated past the current log's end
  // admitted at a time; -1: a long record waits
  std::atomic<std::int64_t> most_bytes_ = kMostBytes;
  std::atomic<std::size_t> segment_count_ = 0;  // segments_.size()
  std::atomic<std::size_t> waiting_ = 0;        // threads in admit_slowly()
  std::atomic<PreallocatingLog*> current_ = nullptr;

  std::mutex mutex_;  // guards the rest, and changes of the above except admitted_ and room_
  std::condition_variable released_;
  std::vector<std::uint64_t> segments_;  // by number: bytes allocated
  std::size_t wanted_segments_ = kFewestSegments;
  std::size_t long_waiting_ = 0;  // threads with records longer than a segment in admit_slowly()
};

}  // namespace magneto::storage
