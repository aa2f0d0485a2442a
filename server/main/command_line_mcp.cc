#include "server/main/command_line_mcp.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "server/admin/messages.h"
#include "server/main/command_line.h"
#include "server/main/start_messages.h"
#include "server/system/command_line_messages.h"
#include "server/system/command_line_reading.h"
#include "server/system/environment_variables.h"

namespace magneto::server::main {
namespace {

constexpr std::string_view kReadOnlyFlag = "--read-only";
constexpr std::string_view kEndpointFlag = "--endpoint";
constexpr const char* kMcpFooter =
    "Without --endpoint a server starts in the same process, on a free port, and ends with the agent.\n"
    "It takes all flags of the server: magneto --help shows them.\n\n"
    "Examples:\n"
    "  magneto mcp\n"
    "  magneto mcp --schema template.yaml --read-only\n"
    "  magneto mcp --endpoint http://localhost:8000 --control-token TOKEN";

bool is_flag(std::string_view argument, std::string_view flag) {
  return argument == flag || (argument.starts_with(flag) && argument.substr(flag.size())[0] == '=');
}

bool has_flag(const std::vector<std::string>& arguments, std::string_view flag) {
  return std::ranges::any_of(arguments,
                             [&](const std::string& argument) { return is_flag(argument, flag); });
}

struct RemoteFlags {
  std::string url;
  std::string token;
  std::string ca_file;
  bool read_only = false;
};

void declare(CLI::App& app, RemoteFlags& flags) {
  app.add_option("--endpoint", flags.url, "Address of a running server: http://localhost:8000")
      ->type_name("URL");
  app.add_option("--control-token", flags.token, "Token of its control interface")
      ->envname(system::variable_of("--control-token"))
      ->type_name("TOKEN");
  app.add_option("--ca", flags.ca_file, "PEM file of certificates to trust besides the system's")
      ->type_name("FILE");
  app.add_flag("--read-only", flags.read_only, "Offer only tools that change nothing");
  app.footer(kMcpFooter);
}

std::variant<admin::mcp::RemoteOptions, OwnServer, int> parse_remote(
    CLI::App& app, RemoteFlags& flags, std::vector<std::string> arguments) {
  if (const auto status = system::read_arguments(app, std::move(arguments))) return *status;
  const auto url = client::parse_endpoint_url(flags.url);
  if (!url) return system::report_usage(app, system::messages::kNotAServerUrl(flags.url));
  if (flags.token.empty()) return system::report_usage(app, messages::kEndpointWithoutToken);
  return admin::mcp::RemoteOptions{
      .url = *url, .token = flags.token, .ca_file = flags.ca_file, .read_only = flags.read_only};
}

}  // namespace

std::variant<admin::mcp::RemoteOptions, OwnServer, int> parse_mcp_command_line(
    int argc, const char* const* argv) {
  CLI::App app("Serves agents by the Model Context Protocol, on standard input and output",
               "magneto mcp");
  RemoteFlags flags;
  declare(app, flags);
  std::vector<std::string> arguments(argv + std::min(argc, 2), argv + argc);
  const bool wants_help = has_flag(arguments, "--help") || has_flag(arguments, "-h");
  if (wants_help || has_flag(arguments, kEndpointFlag)) {
    return parse_remote(app, flags, std::move(arguments));
  }
  const bool read_only = std::erase(arguments, kReadOnlyFlag) != 0;
  std::vector<const char*> words = {argv[0], "--port=0"};  // a later --port overrides it
  int count = 2;
  for (const std::string& argument : arguments) {
    words.push_back(argument.c_str());
    ++count;
  }
  std::variant<Config, int> parsed = parse_command_line(count, words.data());
  if (const int* const status = std::get_if<int>(&parsed)) return *status;
  Config config = std::get<Config>(std::move(parsed));
  using Access = admin::mcp::Access;
  if (!config.has_control || config.agent_access == Access::kNone) {
    return system::report_usage(app, messages::kAgentsWithoutControl);
  }
  const bool reads = read_only || config.agent_access == Access::kReadOnly;
  return OwnServer{.config = std::move(config), .read_only = reads};
}

}  // namespace magneto::server::main
