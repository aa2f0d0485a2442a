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

std::string waits_for_store(std::string_view holder, std::string_view address, bool relays) {
  return fmt::format(
      "the store is in use by the server at {}: this server waits at {}{}, and takes over when that one is gone",
      holder, address, relays ? ", passes connections on" : "");
}

std::string no_store_password(std::string_view file) {
  return fmt::format(
      "--store-password-file {}: the file cannot be read, or its first line is empty", file);
}

std::string open_store_password(std::string_view file) {
  return fmt::format("--store-password-file {}: other users can read the file (chmod 600 {})", file,
                     file);
}

}  // namespace magneto::server::main::messages
