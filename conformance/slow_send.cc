// A library to preload into a server: a send returns SLOW_SEND_MILLISECONDS after its bytes are
// sent. A client that has an answer then acts before the server does anything more.
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>

namespace {

long milliseconds_of_a_send() {
  const char* const given = std::getenv("SLOW_SEND_MILLISECONDS");
  return given == nullptr ? 0 : std::atol(given);
}

ssize_t late(long sent) {
  static const long milliseconds = milliseconds_of_a_send();
  timespec pause{milliseconds / 1000, milliseconds % 1000 * 1'000'000};
  if (sent > 0) nanosleep(&pause, nullptr);
  return sent;
}

}  // namespace

extern "C" ssize_t send(int descriptor, const void* bytes, size_t size, int flags) {
  return late(syscall(SYS_sendto, descriptor, bytes, size, flags, nullptr, 0));
}

extern "C" ssize_t sendmsg(int descriptor, const msghdr* message, int flags) {
  return late(syscall(SYS_sendmsg, descriptor, message, flags));
}
