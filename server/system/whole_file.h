#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace magneto::server::system {

// The reason why a file cannot be read, without its name.
class UnreadableFile : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct WholeFile {
  std::string text;
  unsigned mode = 0;  // the permissions, such as 0600
};

// The content of a regular file at one moment. Never blocks on another process, as reading a pipe
// would. Throws UnreadableFile, also if the file is longer than `max_megabytes` or changes during
// the read.
WholeFile read_whole_file(const std::string& path, std::size_t max_megabytes);

}  // namespace magneto::server::system
