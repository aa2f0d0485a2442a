#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

namespace magneto::storage {

// Receives one sentence about background work that failed and will be tried again. Called from
// background threads, one at a time for each.
using ReportWarning = std::function<void(std::string_view)>;

// Reports that `work` failed in a way that is not the end of it.
void report_retry(const ReportWarning& report, std::string_view work, const std::exception& error);

// How long background work that failed rests before it is tried again.
inline constexpr std::chrono::milliseconds kRetryDelay{1000};

// A thread's rests between the steps of its work. They allocate nothing, so that it can rest after a
// step that failed for want of memory.
class Pause {
 public:
  // Returns after that time, or as soon as `stop` is asked for.
  void rest(std::chrono::milliseconds time, const std::stop_token& stop);

 private:
  std::mutex mutex_;
  std::condition_variable_any never_;
};

// A thread that takes one step of its work after the other until it is stopped. A step that throws
// is reported, and the next one is taken after kRetryDelay. Thread-safe, but start() and stop() only
// as their caller orders them.
class RetryingThread {
 public:
  // Returns how long to rest before the next step. A step may wait for work itself; it should
  // return soon once its token is asked to stop.
  using Step = std::function<std::chrono::milliseconds(const std::stop_token&)>;

  // `work` appears in reports.
  RetryingThread(std::string work, ReportWarning report, Step step);
  ~RetryingThread();  // stop()
  RetryingThread(const RetryingThread&) = delete;
  RetryingThread& operator=(const RetryingThread&) = delete;

  void start();
  // Ends the step under way. To do it again, or without start(), is harmless.
  void stop();

  // Reports a failure of the same work in another thread.
  void report(const std::exception& error) const { report_retry(report_, work_, error); }

 private:
  void run(const std::stop_token& stop);

  const std::string work_;
  const ReportWarning report_;
  const Step step_;
  Pause pause_;
  std::jthread thread_;
};

}  // namespace magneto::storage
