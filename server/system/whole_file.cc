#include "server/system/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "server/system/descriptor.h"
#include "server/system/file_messages.h"

namespace magneto::server::system {
namespace {

[[noreturn]] void fail_for_system() {
  throw UnreadableFile(std::error_code(errno, std::generic_category()).message());
}

bool is_same(const timespec& one, const timespec& other) {
  return one.tv_sec == other.tv_sec && one.tv_nsec == other.tv_nsec;
}

// Reads until the end of the file, or until `text` is full.
std::size_t read_into(int descriptor, std::string& text) {
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t part = ::read(descriptor, text.data() + size, text.size() - size);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) fail_for_system();
    if (part == 0) break;
    size += static_cast<std::size_t>(part);
  }
  return size;
}

}  // namespace

WholeFile read_whole_file(const std::string& path, std::size_t max_megabytes) {
  const Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (descriptor.get() < 0 || ::fstat(descriptor.get(), &status) != 0) fail_for_system();
  if (!S_ISREG(status.st_mode)) throw UnreadableFile(messages::kNoRegularFile);
  const std::size_t max_bytes = max_megabytes << 20;
  const auto announced = static_cast<std::size_t>(status.st_size);
  if (announced > max_bytes) throw UnreadableFile(messages::kTooLargeFile(max_megabytes));
  WholeFile file{std::string(announced + 1, '\0'), status.st_mode & 07777U};
  const std::size_t size = read_into(descriptor.get(), file.text);
  struct stat after {};
  if (::fstat(descriptor.get(), &after) != 0) fail_for_system();
  if (size != announced || after.st_size != status.st_size ||
      !is_same(after.st_mtim, status.st_mtim)) {
    throw UnreadableFile(messages::kChangedFile);
  }
  file.text.resize(size);
  return file;
}

}  // namespace magneto::server::system
