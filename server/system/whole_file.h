#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace magneto::server::system {

// Why a file cannot be read, without its name.
class UnreadableFile : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct WholeFile {
  std::string text;
  unsigned mode = 0;  // permissions: 0600
};

// What a regular file holds at one moment. Never waits for another process, as a pipe would. Throws
// UnreadableFile, also when the file is longer than `max_megabytes`, or changes meanwhile.
WholeFile read_whole_file(const std::string& path, std::size_t max_megabytes);

}  // namespace magneto::server::system
