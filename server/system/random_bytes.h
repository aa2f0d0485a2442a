#pragma once

#include <cstddef>

namespace magneto::server::system {

// Fills `size` bytes, at most 256, from the system's random source. Throws std::system_error.
void fill_with_random_bytes(void* bytes, std::size_t size);

}  // namespace magneto::server::system
