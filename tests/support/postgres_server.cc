#include "tests/support/postgres_server.h"

#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include "storage/engine/postgres/postgres_connection.h"

namespace magneto::storage {
namespace {

namespace fs = std::filesystem;

// The programs of the newest release that is installed; empty: none is.
fs::path programs() {
  std::vector<fs::path> found;
  std::error_code none;  // there is no such directory
  for (const auto& release : fs::directory_iterator("/usr/lib/postgresql", none)) {
    if (fs::exists(release.path() / "bin/initdb")) found.push_back(release.path() / "bin");
  }
  return found.empty() ? fs::path() : std::ranges::max(found);
}

// PostgreSQL does not run as root, but as the user that its package makes.
const passwd* other_user() { return ::geteuid() == 0 ? ::getpwnam("postgres") : nullptr; }

pid_t start_program(const std::vector<std::string>& command, const std::string& log) {
  std::vector<char*> arguments;
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const passwd* const user = other_user();
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (process != 0) return process;
  if (user != nullptr && (::setgid(user->pw_gid) != 0 || ::setuid(user->pw_uid) != 0)) ::_exit(126);
  ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
  if (::getppid() != parent) ::_exit(126);
  const int output = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::execv(arguments.front(), arguments.data());
  ::_exit(127);
}

// Unique to the directory. A schema's name has lower-case letters, the directory's both.
std::string schema_of(const TempDirectory& directory) {
  std::string name = "test";
  for (const char letter : fs::path(directory.path()).filename().string()) {
    name += std::to_string(static_cast<int>(letter));
  }
  return name;
}

}  // namespace

PostgresOptions postgres_options(const TempDirectory& directory) {
  return {.url = PostgresServer::shared().url(), .schema = schema_of(directory)};
}

bool PostgresServer::is_installed() { return !programs().empty(); }

PostgresServer& PostgresServer::shared() {
  static PostgresServer server;
  return server;
}

PostgresServer::PostgresServer() {
  const passwd* const user = other_user();
  if (user != nullptr && ::chown(directory_.path().c_str(), user->pw_uid, user->pw_gid) != 0) {
    throw std::system_error(errno, std::generic_category(), directory_.path());
  }
  process_ = start_program({programs() / "initdb", "-D", directory_.file("data"), "--no-sync",
                            "--username=magneto", "--auth=trust", "--encoding=UTF8", "--locale=C"},
                           directory_.file("log"));
  if (wait_for_end() != 0) throw std::runtime_error("initdb failed: " + log());
  start();
}

PostgresServer::~PostgresServer() { kill(); }

std::string PostgresServer::url() const {
  return "postgres://magneto@/postgres?host=" + directory_.path();
}

void PostgresServer::start() {
  process_ = start_program(
      {programs() / "postgres", "-D", directory_.file("data"), "-k", directory_.path(), "-c",
       "listen_addresses=", "-c", "fsync=off", "-c", "full_page_writes=off", "-c",
       "max_connections=500", "-c", "shared_buffers=32MB", "-c", "log_min_messages=fatal"},
      directory_.file("log"));
  const StoreAddress address(url());
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (;;) {
    try {
      PostgresConnection connection(address);
      return;
    } catch (const EngineError& error) {
      if (::waitpid(process_, nullptr, WNOHANG) != 0 ||
          std::chrono::steady_clock::now() > deadline) {
        throw std::runtime_error("PostgreSQL does not start: " + log());
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
}

// The server's other processes end when their parent is gone.
void PostgresServer::kill() {
  if (process_ == 0) return;
  ::kill(process_, SIGQUIT);
  wait_for_end();
}

int PostgresServer::wait_for_end() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = 0;
  return status;
}

std::string PostgresServer::log() const {
  std::ostringstream text;
  text << std::ifstream(directory_.file("log")).rdbuf();
  return text.str();
}

}  // namespace magneto::storage
