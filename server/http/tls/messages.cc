#include "server/http/tls/messages.h"

#include <fmt/format.h>

namespace magneto::server::http::messages {

std::string open_private_key(std::string_view path, unsigned mode) {
  return fmt::format("the private key {0} is open to other users (mode {1:04o}): chmod 600 {0}",
                     path, mode);
}

}  // namespace magneto::server::http::messages
