#pragma once

#include <string_view>

namespace magneto::server::system {

// Sends the process's state, "READY=1" or "STOPPING=1", to the service manager that started it, as
// sd_notify(3) does: as a datagram to the socket in NOTIFY_SOCKET. Does nothing if that variable is
// not set. If the socket cannot be reached, writes a line to the log. "READY=1" waits for a busy
// manager, because the manager treats a start as failed without it. Other states do not wait.
void notify_service_manager(std::string_view state);

}  // namespace magneto::server::system
