#pragma once

#include <string>

namespace magneto::server::http {

// The client's address on a connection: "127.0.0.1:4711" or "[::1]:4711". Empty if the client has
// gone.
std::string remote_address(int descriptor);

}  // namespace magneto::server::http
