#include "server/system/service_notification.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "server/system/descriptor.h"
#include "server/system/log.h"
#include "server/system/log_messages.h"

namespace magneto::server::system {
namespace {

// Returns false with errno set on failure.
bool send_to(std::string_view path, std::string_view state, int flags) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return false;
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  // unix(7): the name of an abstract socket begins with a NUL and ends where the address ends.
  if (path.front() == '@') address.sun_path[0] = '\0';
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  const Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  return socket.get() >= 0 &&
         ::sendto(socket.get(), state.data(), state.size(), MSG_NOSIGNAL | flags,
                  reinterpret_cast<const sockaddr*>(&address), size) >= 0;
}

}  // namespace

void notify_service_manager(std::string_view state) {
  const char* const path = std::getenv("NOTIFY_SOCKET");
  if (path == nullptr || *path == '\0') return;
  if (!send_to(path, state, state == "READY=1" ? 0 : MSG_DONTWAIT)) {
    log(LogLevel::kWarning, messages::kNotNotified(state, std::strerror(errno)));
  }
}

}  // namespace magneto::server::system
