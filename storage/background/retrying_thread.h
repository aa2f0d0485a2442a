#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "storage/engine/pause.h"

namespace magneto::storage {

// Receives one sentence about background work that failed and will be retried. Called from
// background threads, by each of them one call at a time.
using ReportWarning = std::function<void(std::string_view)>;

// Reports that `work` failed and will be retried.
void report_retry(const ReportWarning& report, std::string_view work, const std::exception& error);

// How long background work pauses after a failure.
inline constexpr std::chrono::milliseconds kRetryDelay{1000};

// A thread that runs one step after another until it is stopped. A step that throws is reported,
// and the next one runs after kRetryDelay. Thread-safe.
class RetryingThread {
 public:
  // Returns how long to pause before the next step. A step may wait for work itself; it must return
  // soon after a stop is requested.
  using Step = std::function<std::chrono::milliseconds(const std::stop_token&)>;

  // `work` appears in reports.
  RetryingThread(std::string work, ReportWarning report, Step step);
  ~RetryingThread();  // stop()
  RetryingThread(const RetryingThread&) = delete;
  RetryingThread& operator=(const RetryingThread&) = delete;

  // Harmless if repeated. After stop() it does nothing.
  void start();
  // Ends the current step. Harmless if repeated, or without start().
  void stop();

  // Reports a failure of the same work in another thread.
  void report(const std::exception& error) const { report_retry(report_, work_, error); }

 private:
  void run(const std::stop_token& stop);

  const std::string work_;
  const ReportWarning report_;
  const Step step_;
  Pause pause_;
  std::mutex mutex_;  // guards the next members
  bool is_stopped_ = false;
  std::jthread thread_;  // unchanged once is_stopped_
};

}  // namespace magneto::storage
