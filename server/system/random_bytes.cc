#include "server/system/random_bytes.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "server/system/file_messages.h"

namespace magneto::server::system {

void fill_with_random_bytes(void* bytes, std::size_t size) {
  // Quicker than std::random_device, which asks the processor what it can do first.
  if (::getentropy(bytes, size) != 0) {
    throw std::system_error(errno, std::generic_category(), messages::kNoRandomBytes);
  }
}

}  // namespace magneto::server::system
