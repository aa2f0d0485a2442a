#include "server/system/public_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace magneto::server::system {
namespace {

constexpr mode_t kMode = S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH;

bool write_whole(int descriptor, const std::string& text) {
  return ::fchmod(descriptor, kMode) == 0 &&
         ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

}  // namespace

int write_public_file(const std::string& path, const std::string& text) {
  // Write a new file with an unpredictable name: if other users can write to the folder, a symbolic
  // link could stand in its place (mkostemp opens with O_EXCL). rename() replaces a link and does
  // not follow it.
  std::string draft = path + ".XXXXXX";
  const int descriptor = ::mkostemp(draft.data(), O_CLOEXEC);
  const bool written = descriptor >= 0 && write_whole(descriptor, text) &&
                       std::rename(draft.c_str(), path.c_str()) == 0;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (written) return 0;
  if (descriptor >= 0) std::remove(draft.c_str());
  return error;
}

}  // namespace magneto::server::system
