// Linked with the server's own main(): its disk becomes full on SIGUSR1, for the directory that
// FULL_DISK_DIRECTORY names, and has space again on SIGUSR2. With FULL_DISK_AT_START it is full at
// first.
#include <pthread.h>

#include <csignal>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/support/full_disk.h"

namespace magneto::storage {
namespace {

std::optional<FullDisk> full_disk;

void follow_signals(const std::string& directory, const sigset_t& signals) {
  for (;;) {
    int signal = 0;
    sigwait(&signals, &signal);
    if (signal == SIGUSR1) {
      full_disk.emplace(directory);
    } else {
      full_disk.reset();
    }
  }
}

// Runs before main(), so that every thread of the server has the signals blocked.
bool begin_to_follow_signals() {
  const char* const directory = std::getenv("FULL_DISK_DIRECTORY");
  if (directory == nullptr) throw std::runtime_error("FULL_DISK_DIRECTORY is not set");
  if (std::getenv("FULL_DISK_AT_START") != nullptr) full_disk.emplace(directory);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  sigaddset(&signals, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread(follow_signals, std::string(directory), signals).detach();
  return true;
}

const bool kFollowsSignals = begin_to_follow_signals();

}  // namespace
}  // namespace magneto::storage
