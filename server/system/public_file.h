#pragma once

#include <string>

namespace magneto::server::system {

// Writes a file that everyone may read, in the place of one that is there; it appears whole or not
// at all. 0, or errno.
int write_public_file(const std::string& path, const std::string& text);

}  // namespace magneto::server::system
