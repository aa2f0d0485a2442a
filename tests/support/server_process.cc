#include "tests/support/server_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>

#include "tests/support/http_client.h"

extern char** environ;

namespace magneto::server {
namespace {

using std::chrono::milliseconds;
using Time = std::chrono::steady_clock;

constexpr milliseconds kPause{1};
constexpr milliseconds kProcessPatience{120'000};

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

pid_t spawn(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
            const std::string& output, const std::string& errors) {
  std::vector<std::string> words = {MAGNETO_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("MAGNETO_")) variables.emplace_back(*variable);
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), kFlags, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), kFlags, 0600);
  pid_t id = -1;
  const int error = posix_spawn(&id, MAGNETO_BINARY, &actions, nullptr, pointers_to(words).data(),
                                pointers_to(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error(std::string("cannot start ") + MAGNETO_BINARY);
  return id;
}

// Whether all threads of a process wait.
bool is_idle(pid_t process) {
  std::error_code gone;  // ignored: a thread may end in the meantime
  const std::filesystem::path tasks = "/proc/" + std::to_string(process) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(tasks, gone)) {
    const std::string text = read_file((task.path() / "stat").string());
    const std::size_t name_end = text.rfind(')');
    if (name_end != std::string::npos && text.compare(name_end + 1, 2, " S") != 0) return false;
  }
  return true;
}

// The status of a child once it has ended, in the format of waitpid.
std::optional<int> wait_for(pid_t id, milliseconds time) {
  const Time::time_point end = Time::now() + time;
  for (;;) {
    int status = 0;
    if (::waitpid(id, &status, WNOHANG) == id) return status;
    if (Time::now() >= end) return std::nullopt;
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace

ServerProcess::ServerProcess(const std::vector<std::string>& arguments,
                             const std::vector<std::string>& environment)
    : port_file_(directory_.file("port")) {
  std::vector<std::string> all = {"--port", "0", "--port-file", port_file_};
  if (tests_speak_tls()) all.emplace_back("--tls-self-signed");
  all.insert(all.end(), arguments.begin(), arguments.end());
  id_ = spawn(all, environment, directory_.file("output"), directory_.file("errors"));
}

ServerProcess::~ServerProcess() {
  if (status_) return;
  signal(SIGTERM);
  if (wait_for(id_, kProcessPatience)) return;
  signal(SIGKILL);
  wait_for(id_, kProcessPatience);
}

std::uint16_t ServerProcess::port() {
  if (port_ != 0) return port_;
  const Time::time_point end = Time::now() + kProcessPatience;
  for (;;) {
    const std::string text = read_file(port_file_);
    if (!text.empty()) return port_ = static_cast<std::uint16_t>(std::stoi(text));
    if (wait_for_exit(milliseconds(0)) || Time::now() >= end) {
      throw std::runtime_error("the server did not start: " + errors());
    }
    std::this_thread::sleep_for(kPause);
  }
}

void ServerProcess::signal(int number) const { ::kill(id_, number); }

std::optional<int> ServerProcess::wait_for_exit(milliseconds time) {
  if (!status_) status_ = wait_for(id_, time);
  if (!status_ || !WIFEXITED(*status_)) return std::nullopt;
  return WEXITSTATUS(*status_);
}

void ServerProcess::wait_until_idle() const {
  constexpr int kLooks = 5;  // the next look sees what the kernel was still delivering
  const Time::time_point end = Time::now() + kProcessPatience;
  for (int idle = 0; idle < kLooks;) {
    if (Time::now() >= end) throw std::runtime_error("the server is busy all the time");
    std::this_thread::sleep_for(milliseconds(5));
    idle = is_idle(id_) ? idle + 1 : 0;
  }
}

std::string ServerProcess::output() const { return read_file(directory_.file("output")); }

std::string ServerProcess::errors() const { return read_file(directory_.file("errors")); }

Finished run_server(const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment) {
  const storage::TempDirectory directory;
  const std::string output = directory.file("output");
  const std::string errors = directory.file("errors");
  const pid_t id = spawn(arguments, environment, output, errors);
  std::optional<int> status = wait_for(id, kProcessPatience);
  if (!status) {
    ::kill(id, SIGKILL);
    wait_for(id, kProcessPatience);
  } else {
    status = WIFEXITED(*status) ? std::optional(WEXITSTATUS(*status)) : std::nullopt;
  }
  return {status, read_file(output), read_file(errors)};
}

}  // namespace magneto::server
