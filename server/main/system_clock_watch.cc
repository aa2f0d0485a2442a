#include "server/main/system_clock_watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <utility>

#include "server/system/log.h"
#include "server/system/log_messages.h"

namespace magneto::server::main {
namespace {

using std::chrono::microseconds;

// A smaller difference may be an error of measurement.
constexpr microseconds kLeastStep{1'000};
// The timer must be cancelled and never expire.
constexpr time_t kNever = 253'402'300'799;  // 9999-12-31T23:59:59Z

}  // namespace

// The thread may be interrupted between its readings, so the closest readings count.
SystemClockWatch::Step SystemClockWatch::measure() {
  constexpr int kReadings = 5;
  microseconds best{};
  auto closest = std::chrono::steady_clock::duration::max();
  for (int i = 0; i < kReadings; ++i) {
    const auto before = std::chrono::steady_clock::now();
    const auto system = std::chrono::system_clock::now();
    const auto after = std::chrono::steady_clock::now();
    if (after - before >= closest) continue;
    closest = after - before;
    best = std::chrono::floor<microseconds>(system.time_since_epoch()) -
           std::chrono::floor<microseconds>(before.time_since_epoch());
  }
  return best;
}

SystemClockWatch::SystemClockWatch(std::function<void(Step by)> stepped, Measure ahead)
    : stepped_(std::move(stepped)),
      measure_(std::move(ahead)),
      ahead_(measure_()),
      timer_(::timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK)),
      stop_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (timer_.get() < 0 || stop_.get() < 0 || !arm()) {
    system::log(system::LogLevel::kWarning, system::messages::kNoClockWatch(std::strerror(errno)));
    return;
  }
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& error) {
    system::log(system::LogLevel::kWarning, system::messages::kNoClockWatch(error.what()));
  }
}

SystemClockWatch::~SystemClockWatch() {
  if (!thread_.joinable()) return;
  const std::uint64_t one = 1;
  // This fails only if the counter is full.
  [[maybe_unused]] const ssize_t written = ::write(stop_.get(), &one, sizeof(one));
  thread_.join();
}

bool SystemClockWatch::arm() const {
  itimerspec never{};
  never.it_value.tv_sec = kNever;
  return ::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never,
                           nullptr) == 0;
}

void SystemClockWatch::run() {
  for (;;) {
    std::array<pollfd, 2> polled{{{timer_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}}};
    if (::poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) return;
    if (polled[1].revents != 0) return;
    if (polled[0].revents == 0) continue;
    std::uint64_t expired = 0;
    const bool is_set = ::read(timer_.get(), &expired, sizeof(expired)) < 0 && errno == ECANCELED;
    // Arm the timer before the look, so that the look covers every earlier change.
    if (!arm()) return;
    if (is_set) look();
  }
}

void SystemClockWatch::look() {
  const Step ahead = measure_();
  const Step by = ahead - std::exchange(ahead_, ahead);
  if (std::chrono::abs(by) >= kLeastStep) stepped_(by);
}

}  // namespace magneto::server::main
