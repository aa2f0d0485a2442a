#pragma once

namespace magneto::server::main {

// Tells a client beyond the connection limit the reason and closes the connection.
void refuse_connection_at(int descriptor);

}  // namespace magneto::server::main
