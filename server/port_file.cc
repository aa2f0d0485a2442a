#include "server/port_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "server/listen_socket.h"
#include "server/messages.h"

namespace magneto::server {
namespace {

// Everyone may read it: that is what it is for, and a port is no secret.
constexpr mode_t kMode = S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH;

bool write_whole(int descriptor, const std::string& text) {
  return ::fchmod(descriptor, kMode) == 0 &&
         ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

}  // namespace

PortFile::PortFile(std::string path, std::uint16_t port) : path_(std::move(path)) {
  if (path_.empty()) return;
  // A new file under a name nobody can foresee: where others can write, a symbolic link could stand
  // in its place (mkostemp opens with O_EXCL). rename() replaces a link and does not follow it.
  std::string draft = path_ + ".XXXXXX";
  const int descriptor = ::mkostemp(draft.data(), O_CLOEXEC);
  const bool written = descriptor >= 0 && write_whole(descriptor, std::to_string(port) + "\n") &&
                       std::rename(draft.c_str(), path_.c_str()) == 0;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (written) return;
  if (descriptor >= 0) std::remove(draft.c_str());
  throw StartError(messages::port_file_failed(path_, std::strerror(error)));
}

PortFile::~PortFile() {
  if (!path_.empty()) std::remove(path_.c_str());
}

}  // namespace magneto::server
