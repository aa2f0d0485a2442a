#pragma once

#include <cstddef>

namespace magneto::storage {

// Maps memory from the system that begins at a multiple of `alignment`; munmap() gives it back. Both
// are multiples of a page. Pages take no memory before they are used. Throws std::bad_alloc.
char* map_aligned(std::size_t size, std::size_t alignment);

}  // namespace magneto::storage
