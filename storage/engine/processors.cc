#include "storage/engine/processors.h"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace magneto::storage {

std::size_t processor_count() {
  cpu_set_t set;
  // With more processors than the set has room for, the call fails.
  if (::sched_getaffinity(0, sizeof set, &set) != 0) {
    return std::max(std::thread::hardware_concurrency(), 1U);
  }
  return static_cast<std::size_t>(std::max(CPU_COUNT(&set), 1));
}

}  // namespace magneto::storage
