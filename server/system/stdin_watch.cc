#include "server/system/stdin_watch.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <thread>

namespace magneto::server::system {
namespace {

void read_to_end() {
  std::array<char, 4096> discarded{};
  while (true) {
    const ssize_t size = ::read(STDIN_FILENO, discarded.data(), discarded.size());
    if (size == 0 || (size < 0 && errno != EINTR)) return;
  }
}

}  // namespace

std::stop_token watch_stdin() {
  std::stop_source end;
  std::thread([end]() mutable {
    read_to_end();
    end.request_stop();
  }).detach();
  return end.get_token();
}

}  // namespace magneto::server::system
