// A library to preload into a server: each sync takes SLOW_SYNC_MILLISECONDS longer (2 by default),
// as on a disk that really writes. On virtual machines a sync often costs almost nothing. Then the
// effects of sharing syncs, and of work that waits for them, are not visible.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>

namespace {

long milliseconds_of_a_sync() {
  const char* const given = std::getenv("SLOW_SYNC_MILLISECONDS");
  return given == nullptr ? 2 : std::atol(given);
}

}  // namespace

extern "C" int fdatasync(int descriptor) {
  static const long milliseconds = milliseconds_of_a_sync();
  timespec pause{milliseconds / 1000, milliseconds % 1000 * 1'000'000};
  nanosleep(&pause, nullptr);
  return static_cast<int>(syscall(SYS_fdatasync, descriptor));
}
