#pragma once

#include <sys/types.h>

#include <string>

#include "storage/engine/postgres/postgres_options.h"
#include "tests/support/engines.h"

namespace magneto::storage {

// A PostgreSQL server of the installed release, in a temporary directory, which is reached by a
// socket in it. The server dies with this process. Its writes do not reach the disk.
class PostgresServer {
 public:
  // False when Debian's package postgresql is not installed.
  static bool is_installed();
  // The server that the tests of this process share; started at the first call. Throws
  // std::runtime_error with the server's log.
  static PostgresServer& shared();

  PostgresServer();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // For PostgresOptions::url.
  std::string url() const;

  // Ends the server as kill -9 would end each of its processes; start() recovers its data.
  void kill();
  void start();

 private:
  std::string log() const;
  int wait_for_end();

  TempDirectory directory_;
  pid_t process_ = 0;
};

// A store of the shared server for the tests that use this directory: an empty one at first, the
// same one when it is opened again.
PostgresOptions postgres_options(const TempDirectory& directory);

}  // namespace magneto::storage
