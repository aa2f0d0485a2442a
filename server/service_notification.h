#pragma once

#include <string_view>

namespace magneto::server {

// Tells the service manager that started the process how it stands, "READY=1" or "STOPPING=1", as
// sd_notify(3) does: a datagram to the socket that NOTIFY_SOCKET names. Nothing where there is none;
// one that cannot be reached is a line of the log.
void notify_service_manager(std::string_view state);

}  // namespace magneto::server
