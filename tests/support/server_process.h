#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/engines.h"

namespace magneto::server {

// The server's binary as a child process, on a port that it chooses itself.
class ServerProcess {
 public:
  // `arguments` are added to --port 0 and --port-file. `environment` ("NAME=value") replaces the
  // MAGNETO_* variables of this process.
  explicit ServerProcess(const std::vector<std::string>& arguments = {},
                         const std::vector<std::string>& environment = {});
  // Ends the process, by force if it does not end in time.
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  // Waits until the server can be reached. If the server ends instead, throws with its output on
  // stderr.
  std::uint16_t port();
  const std::string& port_file() const { return port_file_; }
  pid_t id() const { return id_; }

  void signal(int number) const;
  // The exit status; nullopt if the process still runs after `time` or was killed by a signal.
  std::optional<int> wait_for_exit(std::chrono::milliseconds time = std::chrono::seconds(120));

  // Waits until all threads of the process are idle. The process has then read everything that was
  // sent to it before.
  void wait_until_idle() const;

  // The output so far.
  std::string output() const;
  std::string errors() const;

 private:
  storage::TempDirectory directory_;
  std::string port_file_;
  pid_t id_ = -1;
  std::optional<int> status_;  // in the format of waitpid
  std::uint16_t port_ = 0;
};

// The result of a run of the binary with given arguments until its end.
struct Finished {
  std::optional<int> status;
  std::string output;
  std::string errors;
};
Finished run_server(const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment = {});

}  // namespace magneto::server
