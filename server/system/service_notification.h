#pragma once

#include <string_view>

namespace magneto::server::system {

// Tells the service manager that started the process how it stands, "READY=1" or "STOPPING=1", as
// sd_notify(3) does: a datagram to the socket that NOTIFY_SOCKET names. Nothing where there is none;
// one that cannot be reached is a line of the log. "READY=1" waits for a manager that is busy, since
// a start that it does not hear of is taken for a failed one; others do not.
void notify_service_manager(std::string_view state);

}  // namespace magneto::server::system
