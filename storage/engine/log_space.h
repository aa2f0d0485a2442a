#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace magneto::storage {

// A log that can allocate disk space past its end.
class GrowingLog {
 public:
  virtual ~GrowingLog() = default;
  // Makes sure that at least LogSpace::kAmple is allocated; false when the disk is full. Called
  // under the space's lock.
  virtual bool allocate_ahead() = 0;
};

// Keeps disk space in hand for the write-ahead log: allocated past its end, and in a spare file
// that becomes the next log. A full disk is thus noticed before a record is begun. After a record
// that failed half-way RocksDB 7.8 can only be opened anew. Thread-safe.
class LogSpace {
 public:
  static constexpr std::uint64_t kAhead = 8ULL << 20;  // allocated past the end of a log
  static constexpr std::uint64_t kAmple = kAhead / 2;  // when less is left, more is asked for

  // Makes the spare file. Throws EngineError.
  explicit LogSpace(std::string spare_path);
  ~LogSpace();
  LogSpace(const LogSpace&) = delete;
  LogSpace& operator=(const LogSpace&) = delete;

  // False when the filesystem cannot allocate space to files; nothing is kept in hand then.
  bool is_supported() const { return is_supported_; }
  // False when the disk had no more space to give: no commit may begin until replenish().
  bool is_ample() const { return is_ample_.load(std::memory_order_acquire); }
  // Asks for what is missing again; false while the disk is full.
  bool replenish();

  // The path of the spare file, now the caller's, with kAhead allocated; empty when there is none.
  std::string take_spare();
  // The log written from now on; nullptr: none.
  void set_current(GrowingLog* log);
  // `log` is no longer written.
  void leave(const GrowingLog* log);

 private:
  // The next two require mutex_.
  void update();
  int make_spare();  // 0 or errno

  const std::string spare_path_;
  bool is_supported_ = true;
  std::mutex mutex_;  // guards the rest, and changes of is_ample_
  bool has_spare_ = false;
  GrowingLog* current_ = nullptr;
  std::atomic<bool> is_ample_ = false;
};

}  // namespace magneto::storage
