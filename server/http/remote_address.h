#pragma once

#include <string>

namespace magneto::server::http {

// The other side of a connection, as "127.0.0.1:4711" or "[::1]:4711". Empty when it has gone.
std::string remote_address(int descriptor);

}  // namespace magneto::server::http
