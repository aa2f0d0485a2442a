#pragma once

#include <string>

namespace magneto::server::system {

// Writes a file that everyone may read and replaces an existing one. It appears complete or not at
// all. Returns 0 or an errno value.
int write_public_file(const std::string& path, const std::string& text);

}  // namespace magneto::server::system
