#include "storage/engine/rocksdb/background_throttle.h"

#include <chrono>
#include <thread>

namespace magneto::storage {

namespace {

thread_local bool is_in_background = false;

}  // namespace

void enter_background() { is_in_background = true; }

// sched_yield() does not help: the scheduler may choose the same thread again.
void yield_to_foreground() {
#ifndef MAGNETO_UNTHROTTLED
  constexpr std::chrono::microseconds kPause(20);  // the kernel adds its slack of 50 us
  if (is_in_background) std::this_thread::sleep_for(kPause);
#endif
}

}  // namespace magneto::storage
