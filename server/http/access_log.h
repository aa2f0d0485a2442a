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

// Writes one line of JSON for each answered request, to a file or to standard output. A thread of
// its own writes the lines, so no thread that answers requests waits for a disk or a pipe. A line
// is lost, and counted as lost, if the queue has no room for it or if it cannot be written.
// Thread-safe.
class AccessLog {
 public:
  // Bytes in the queue. As many more may be in the hands of the writing thread.
  static constexpr std::size_t kMostQueued = 4 << 20;
  // Texts that a client chooses are cut after this many bytes.
  static constexpr std::size_t kLongestText = 256;

  struct Counts {
    std::uint64_t written = 0;  // lines
    std::uint64_t lost = 0;
  };

  // Lines are appended to the file `path`; a new file is readable by the server's user only. "-"
  // means standard output. Throws StartError.
  explicit AccessLog(std::string path);
  // Writes queued lines for at most a second; the rest is lost.
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  void note(const FinishedRequest& finished);
  // Reopens the file soon. Call it after the file was renamed, so that a new one is started.
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
  system::Descriptor file_;   // the thread's, once it runs
  bool ends_in_line_ = true;  // whether the last write ended a line; the thread's as well
  std::atomic<std::uint64_t> written_{0};
  std::atomic<std::uint64_t> lost_{0};

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::string queued_;  // whole lines
  bool reopens_ = false;
  // No line is written after this time. Valid once ends_ is set, which happens afterwards.
  std::chrono::steady_clock::time_point deadline_;
  std::atomic<bool> ends_{false};  // changed with mutex_ held
  std::thread thread_;
};

// The line for one request, with its line feed.
std::string access_log_line(const FinishedRequest& finished);

}  // namespace magneto::server::http
