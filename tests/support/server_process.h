#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/engines.h"

namespace magneto::server {

// The server's binary as a child process, on a port of its own choice.
class ServerProcess {
 public:
  // `arguments` are given besides --port 0 and --port-file; `environment` ("NAME=value") replaces
  // the MAGNETO_* variables of this process.
  explicit ServerProcess(const std::vector<std::string>& arguments = {},
                         const std::vector<std::string>& environment = {});
  // Ends the process, by force when it does not end by itself in time.
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  // Waits until the server can be reached; throws with what it wrote to stderr when it ends
  // instead.
  std::uint16_t port();
  const std::string& port_file() const { return port_file_; }
  pid_t id() const { return id_; }

  void signal(int number) const;
  // The exit status; nullopt when the process still runs after the time or was killed by a signal.
  std::optional<int> wait_for_exit(std::chrono::milliseconds time = std::chrono::seconds(120));

  // Waits until no thread of the process has anything to do: what was sent to it before is read then.
  void wait_until_idle() const;

  // What it wrote so far.
  std::string output() const;
  std::string errors() const;

 private:
  storage::TempDirectory directory_;
  std::string port_file_;
  pid_t id_ = -1;
  std::optional<int> status_;  // as waitpid gives it
  std::uint16_t port_ = 0;
};

// Runs the binary with exactly these arguments until it ends.
struct Finished {
  std::optional<int> status;
  std::string output;
  std::string errors;
};
Finished run_server(const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment = {});

}  // namespace magneto::server
