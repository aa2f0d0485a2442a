#pragma once

#include <cstddef>

namespace magneto::server::system {

// Fills `size` bytes, 256 at most, from the system's source. Throws std::system_error.
void fill_with_random_bytes(void* bytes, std::size_t size);

}  // namespace magneto::server::system
