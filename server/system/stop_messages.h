#pragma once

#include <string_view>

namespace magneto::server::system::messages {

// Clients receive this while open requests are finished.
inline constexpr std::string_view kIsStopping = "the server is stopping";

}  // namespace magneto::server::system::messages
