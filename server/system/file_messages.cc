#include "server/system/file_messages.h"

#include <fmt/core.h>

namespace magneto::server::system::messages {

std::string too_large_file(std::size_t max_megabytes) {
  return fmt::format("it is larger than {} MB", max_megabytes);
}

}  // namespace magneto::server::system::messages
