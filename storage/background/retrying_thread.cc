#include "storage/background/retrying_thread.h"

#include <utility>

#include "storage/messages/background_messages.h"

namespace magneto::storage {

void report_retry(const ReportWarning& report, std::string_view work, const std::exception& error) {
  report(messages::tried_again(work, error.what()));
}

RetryingThread::RetryingThread(std::string work, ReportWarning report, Step step)
    : work_(std::move(work)), report_(std::move(report)), step_(std::move(step)) {}

RetryingThread::~RetryingThread() { stop(); }

void RetryingThread::start() {
  const std::lock_guard lock(mutex_);
  if (is_stopped_ || thread_.joinable()) return;
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void RetryingThread::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void RetryingThread::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    bool failed = false;
    try {
      pause_.rest(step_(stop), stop);
    } catch (const std::exception& error) {
      failed = true;
      report(error);
    }
    if (failed) pause_.rest(kRetryDelay, stop);
  }
}

}  // namespace magneto::storage
