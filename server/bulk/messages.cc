#include "server/bulk/messages.h"

#include <fmt/format.h>

namespace magneto::server::bulk::messages {

std::string operation_failed(std::string_view operation, std::string_view why) {
  return fmt::format("{} failed ({})", operation, why);
}

std::string no_threads(std::string_view why) {
  return fmt::format("so many threads cannot be started ({}); give fewer --workers", why);
}

}  // namespace magneto::server::bulk::messages
