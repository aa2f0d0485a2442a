#pragma once

#include <cstddef>

namespace magneto::storage {

// The number of processors that this process may use. One system call;
// std::thread::hardware_concurrency() reads a file and counts all processors of the machine.
std::size_t processor_count();

}  // namespace magneto::storage
