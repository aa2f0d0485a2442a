#include "storage/engine/processors.h"

#include <sched.h>

#include <algorithm>

namespace magneto::storage {

std::size_t processor_count() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<std::size_t>(std::max(CPU_COUNT(&set), 1));
}

}  // namespace magneto::storage
