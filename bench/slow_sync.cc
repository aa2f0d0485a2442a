// Preloaded into a server: each sync takes 2 ms longer, as on a disk that really writes. On virtual
// machines a sync often costs next to nothing, and sharing it shows no gain.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern "C" int fdatasync(int descriptor) {
  timespec pause{0, 2'000'000};
  nanosleep(&pause, nullptr);
  return static_cast<int>(syscall(SYS_fdatasync, descriptor));
}
