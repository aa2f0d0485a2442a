#include "server/port_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "server/listen_socket.h"

namespace magneto::server {

PortFile::PortFile(std::string path, std::uint16_t port) : path_(std::move(path)) {
  if (path_.empty()) return;
  const std::string draft = path_ + "." + std::to_string(::getpid());
  std::ofstream file(draft);
  file << port << '\n';
  file.close();
  if (!file || std::rename(draft.c_str(), path_.c_str()) != 0) {
    const int error = errno;
    std::remove(draft.c_str());
    throw StartError("cannot write the port file " + path_ + " (" + std::strerror(error) +
                     "); name a file in a writable directory with --port-file");
  }
}

PortFile::~PortFile() {
  if (!path_.empty()) std::remove(path_.c_str());
}

}  // namespace magneto::server
