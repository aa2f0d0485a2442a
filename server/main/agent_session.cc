#include "server/main/agent_session.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>
#include <utility>

#include "server/admin/mcp/agent_server.h"
#include "server/admin/mcp/stdio_bridge.h"

namespace magneto::server::main {
namespace {

constexpr std::string_view kSessionId = "mcp";  // in the log of faults

}  // namespace

AgentSession::AgentSession(const AgentOptions& options, const admin::mcp::AgentServer& agents,
                           std::string endpoint, std::function<void()> end)
    : stop_(::eventfd(0, EFD_CLOEXEC)) {
  if (stop_.get() < 0) throw std::system_error(errno, std::generic_category());
  thread_ = std::thread([&agents, options, endpoint = std::move(endpoint), end = std::move(end),
                         stop = stop_.get()] {
    admin::mcp::Connection connection{.read_only = options.read_only,
                                      .version = {},
                                      .endpoint = endpoint,
                                      .request_id = kSessionId,
                                      .descriptor = -1};
    const admin::mcp::AnswerMessage answer = [&](std::string& message, const std::string& version) {
      connection.version = version;
      return agents.answer(message, connection).text;
    };
    admin::mcp::bridge_stdio({.input = STDIN_FILENO, .output = options.output, .stop = stop},
                             answer);
    end();
  });
}

AgentSession::~AgentSession() {
  ::eventfd_write(stop_.get(), 1);
  thread_.join();
}

int take_standard_output() {
  std::fflush(stdout);
  const int output = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (output < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    throw std::system_error(errno, std::generic_category());
  }
  return output;
}

}  // namespace magneto::server::main
