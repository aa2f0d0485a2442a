#include "storage/clock.h"

namespace magneto::storage {

double Clock::epoch_seconds() const {
  const auto since_epoch = now().time_since_epoch();
  return static_cast<double>(
             std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count()) /
         1000.0;
}

}  // namespace magneto::storage
