#include "server/admin/control_token.h"

#include <absl/strings/escaping.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "server/admin/messages.h"
#include "server/system/descriptor.h"
#include "server/system/random_bytes.h"

namespace magneto::server::admin {
namespace {

constexpr std::size_t kRandomBytes = 32;
constexpr std::size_t kLongestToken = 256;

// Whether only the owner can put files into the folder, and the path is not a link. The group of
// root may write too: it is the group of containers that run as any user
// (storage/engine/rocksdb/data_directory.h).
bool is_private_folder(const std::string& path) {
  struct stat status = {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return false;
  if (status.st_uid != ::geteuid()) return false;
  const mode_t writers = status.st_gid == 0 ? S_IWOTH : S_IWGRP | S_IWOTH;
  return (status.st_mode & writers) == 0;
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before threads
  return value == nullptr ? std::string() : value;
}

// Chooses the path of the file. Its folder may be missing, and need not be private.
std::string choose_path(const std::string& data_directory, std::uint16_t port) {
  if (!data_directory.empty()) return data_directory + "/control-token";
  const std::string name = "control-" + std::to_string(port);
  const std::string runtime = environment("XDG_RUNTIME_DIR");
  if (!runtime.empty() && is_private_folder(runtime)) return runtime + "/magneto-" + name;
  std::string temporary = environment("TMPDIR");
  if (temporary.empty()) temporary = "/tmp";
  const std::string folder = temporary + "/magneto-" + std::to_string(::geteuid());
  ::mkdir(folder.c_str(), S_IRWXU);  // an existing folder is checked like a new one
  return folder + "/" + name;
}

}  // namespace

std::string make_control_token() {
  std::array<char, kRandomBytes> bytes{};
  system::fill_with_random_bytes(bytes.data(), bytes.size());
  return absl::WebSafeBase64Escape(absl::string_view(bytes.data(), bytes.size()));
}

bool is_control_token(std::string_view text) {
  return !text.empty() && text.size() <= kLongestToken && std::ranges::all_of(text, [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~+/=").find(c) != std::string_view::npos;
  });
}

ControlTokenFile::ControlTokenFile(const std::string& data_directory, std::uint16_t port,
                                   std::string_view token,
                                   const std::function<void(std::string_view)>& warn) {
  std::string path = choose_path(data_directory, port);
  if (!is_private_folder(path.substr(0, path.rfind('/')))) {
    warn(messages::kTokenFileFailed(path, messages::kNotPrivate));
    return;
  }
  // Removes the file of a killed server.
  ::unlink(path.c_str());
  const system::Descriptor file(::open(
      path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  const std::string line = std::string(token) + "\n";
  struct stat status = {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0 ||
      ::write(file.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    const std::string why = std::strerror(errno);
    if (file.get() >= 0) ::unlink(path.c_str());
    warn(messages::kTokenFileFailed(path, why));
    return;
  }
  path_ = std::move(path);
  device_ = status.st_dev;
  number_ = status.st_ino;
}

// Removes the file, unless another server has replaced it.
ControlTokenFile::~ControlTokenFile() {
  struct stat status = {};
  if (path_.empty() || ::lstat(path_.c_str(), &status) != 0) return;
  if (status.st_dev == device_ && status.st_ino == number_) ::unlink(path_.c_str());
}

}  // namespace magneto::server::admin
