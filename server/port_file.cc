#include "server/port_file.h"

#include <cstdio>
#include <cstring>

#include "server/listen_socket.h"
#include "server/public_file.h"
#include "server/start_messages.h"

namespace magneto::server {

PortFile::PortFile(std::string path, std::uint16_t port) : path_(std::move(path)) {
  if (path_.empty()) return;
  const int error = write_public_file(path_, std::to_string(port) + "\n");
  if (error == 0) return;
  throw StartError(messages::port_file_failed(path_, std::strerror(error)));
}

PortFile::~PortFile() {
  if (!path_.empty()) std::remove(path_.c_str());
}

}  // namespace magneto::server
