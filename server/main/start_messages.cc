#include "server/main/start_messages.h"

#include <fmt/format.h>

namespace magneto::server::main::messages {

std::string reachable(std::string_view address) {
  return fmt::format(
      "other machines can reach {}, and credentials are not compared with anything: whoever can connect can read and change all data",
      address);
}

std::string reachable_metrics(std::string_view address) {
  return fmt::format(
      "other machines can reach {}: /metrics shows the names of tables to whoever connects, without credentials; --no-metrics removes it",
      address);
}

std::string ready(std::string_view version, std::string_view address, std::string_view directory,
                  bool sync_writes, std::string_view tables) {
  const std::string place = directory.empty() ? "in memory" : fmt::format("data in {}", directory);
  return fmt::format("magneto {} listening on {}, {}{}{}{}\n", version, address, place,
                     sync_writes ? ", fsync on every write" : "", tables.empty() ? "" : ", ",
                     tables);
}

}  // namespace magneto::server::main::messages
