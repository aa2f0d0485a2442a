#include "server/main/start_messages.h"

#include <fmt/format.h>

namespace magneto::server::main::messages {

std::string ready(std::string_view version, std::string_view address, std::string_view directory,
                  bool sync_writes, std::string_view tables) {
  const std::string place = directory.empty() ? "in memory" : fmt::format("data in {}", directory);
  return fmt::format("magneto {} listening on {}, {}{}{}{}\n", version, address, place,
                     sync_writes ? ", fsync on every write" : "", tables.empty() ? "" : ", ",
                     tables);
}

}  // namespace magneto::server::main::messages
