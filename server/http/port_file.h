#pragma once

#include <cstdint>
#include <string>

namespace magneto::server::http {

// A file that contains the port and a line feed while the server can be reached. It appears
// complete or not at all.
class PortFile {
 public:
  // With an empty path no file is written. Throws StartError.
  PortFile(std::string path, std::uint16_t port);
  ~PortFile();
  PortFile(const PortFile&) = delete;
  PortFile& operator=(const PortFile&) = delete;

 private:
  const std::string path_;
};

}  // namespace magneto::server::http
