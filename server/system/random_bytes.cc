#include "server/system/random_bytes.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "server/system/file_messages.h"

namespace magneto::server::system {

void fill_with_random_bytes(void* bytes, std::size_t size) {
  // Faster than std::random_device, which first checks the processor's features.
  if (::getentropy(bytes, size) != 0) {
    throw std::system_error(errno, std::generic_category(), messages::kNoRandomBytes);
  }
}

}  // namespace magneto::server::system
