#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "server/http/finished_request.h"
#include "server/system/descriptor.h"

namespace magneto::server::http {

// A line of JSON for each request that was answered, in a file or on standard output, written by a
// thread of its own: nobody who answers waits for a disk or a pipe. Lines that find no room in the
// queue, or that cannot be written, are lost and counted. Thread-safe.
class AccessLog {
 public:
  // Bytes. As many are being written meanwhile.
  static constexpr std::size_t kMostQueued = 4 << 20;
  // What a client makes up is cut after so much.
  static constexpr std::size_t kLongestText = 256;

  struct Counts {
    std::uint64_t written = 0;  // lines
    std::uint64_t lost = 0;
  };

  // `path` is appended to, and made for the server's user alone; "-": standard output. Throws
  // StartError.
  explicit AccessLog(std::string path);
  // Writes what is queued for a second at most; the rest is lost.
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  void note(const FinishedRequest& finished);
  // Opens the file anew, soon: it was renamed to begin another.
  void reopen();
  bool is_file() const { return path_ != "-"; }
  Counts counts() const { return {.written = written_.load(), .lost = lost_.load()}; }

 private:
  void push(const std::string& line);
  void run();
  void open_anew();
  void write(const std::string& lines);
  bool write_some(std::string_view& rest);
  bool is_too_late() const;
  bool wait_until_writable() const;
  void lose(std::uint64_t lines);

  const std::string path_;
  system::Descriptor file_;   // of the thread, once it runs
  bool ends_in_line_ = true;  // what was written last, likewise
  std::atomic<std::uint64_t> written_{0};
  std::atomic<std::uint64_t> lost_{0};

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::string queued_;  // whole lines
  bool reopens_ = false;
  // Until when may be written once ends_ is set, which is set after it.
  std::chrono::steady_clock::time_point deadline_;
  std::atomic<bool> ends_{false};  // changed with mutex_ held
  std::thread thread_;
};

// The line of one request, with its end.
std::string access_log_line(const FinishedRequest& finished);

}  // namespace magneto::server::http
