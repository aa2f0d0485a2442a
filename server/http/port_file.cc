#include "server/http/port_file.h"

#include <cstdio>
#include <cstring>

#include "server/http/listen_messages.h"
#include "server/http/listen_socket.h"
#include "server/system/public_file.h"
#include "server/system/start_error.h"

namespace magneto::server::http {

PortFile::PortFile(std::string path, std::uint16_t port) : path_(std::move(path)) {
  if (path_.empty()) return;
  const int error = system::write_public_file(path_, std::to_string(port) + "\n");
  if (error == 0) return;
  throw system::StartError(messages::kPortFileFailed(path_, std::strerror(error)));
}

PortFile::~PortFile() {
  if (!path_.empty()) std::remove(path_.c_str());
}

}  // namespace magneto::server::http
