#include "storage/engine/pause.h"

namespace magneto::storage {

void Pause::rest(std::chrono::milliseconds time, const std::stop_token& stop) {
  if (time.count() == 0) return;
  std::unique_lock lock(mutex_);
  never_.wait_for(lock, stop, time, [] { return false; });
}

}  // namespace magneto::storage
