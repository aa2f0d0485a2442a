#include "server/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <iostream>
#include <map>
#include <string>

namespace magneto::server {
namespace {

using std::chrono::milliseconds;

constexpr int kUsageError = 2;
constexpr std::uint32_t kMaxDelayMilliseconds = 24 * 60 * 60 * 1000;

const std::map<std::string, AuthMode> kAuthModes = {{"shape", AuthMode::kShape},
                                                    {"off", AuthMode::kOff}};
const std::map<std::string, LogLevel> kLogLevels = {{"debug", LogLevel::kDebug},
                                                    {"info", LogLevel::kInfo},
                                                    {"warning", LogLevel::kWarning},
                                                    {"error", LogLevel::kError},
                                                    {"off", LogLevel::kOff}};

// "--data-dir" -> "MAGNETO_DATA_DIR".
std::string variable_of(std::string_view flag) {
  std::string name = "MAGNETO_";
  for (const char c : flag.substr(2)) {
    name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return name;
}

// The options in the order of --help, and what they are read into.
class Options {
 public:
  explicit Options(CLI::App& app) : app_(app) {}

  void declare() {
    add("--port", port, "Port to listen on; 0 takes any free one", CLI::Range(0, 65535))
        ->capture_default_str();
    add("--host", config.host, "Address or name to listen on")->capture_default_str();
    add("--data-dir", config.data_directory, "Keep tables in this directory (else in memory)");
    env(app_.add_flag("--fsync", config.sync_writes,
                      "With --data-dir: a write reaches the disk before it is acknowledged"),
        "--fsync");
    add("--threads", config.threads, "I/O threads (default: one for each processor)",
        CLI::Range(1, 256));
    add("--partitions", config.partitions, "Partitions of a new table (default: as DynamoDB)",
        CLI::Range(1, 4096));
    add("--control-plane-delay-ms", control_plane_delay,
        "How long a table stays CREATING, UPDATING, DELETING", delay_range())
        ->capture_default_str();
    add("--gsi-delay-ms", global_index_delay,
        "How long a global index lags (default: it is never seen to lag)", delay_range());
    add("--auth", config.auth, "shape: credentials must be well formed; off: none are needed")
        ->transform(CLI::CheckedTransformer(kAuthModes).description("shape|off"))
        ->default_str("shape");
    add("--port-file", config.port_file, "File that holds the port while the server runs");
    add("--memory-budget-mb", config.memory_budget_megabytes,
        "With --data-dir: memory for caches and write buffers", CLI::Range(8, 1 << 20))
        ->capture_default_str();
    add("--max-connections", config.max_connections,
        "Connections open at a time (default: 10000, or what the descriptor limit allows)",
        CLI::Range(1, 1'000'000));
    add("--log-level", config.log_level, "What is written to stderr")
        ->transform(CLI::CheckedTransformer(kLogLevels).description("debug|info|warning|error|off"))
        ->default_str("warning");
    // For tests: no line in --help.
    add_hidden("--idle-timeout-ms", idle_timeout);
    add_hidden("--request-timeout-ms", request_timeout);
    add_hidden("--header-timeout-ms", header_timeout);
    add_hidden("--drain-timeout-ms", drain_timeout);
  }

  Config finish() {
    config.port = static_cast<std::uint16_t>(port);
    config.control_plane_delay = milliseconds(control_plane_delay);
    if (app_.count("--gsi-delay-ms") > 0)
      config.global_index_delay = milliseconds(global_index_delay);
    config.idle_timeout = milliseconds(idle_timeout);
    config.request_timeout = milliseconds(request_timeout);
    config.header_timeout = milliseconds(header_timeout);
    config.drain_timeout = milliseconds(drain_timeout);
    return std::move(config);
  }

 private:
  static CLI::Range delay_range() { return {0U, kMaxDelayMilliseconds}; }

  static CLI::Option* env(CLI::Option* option, const std::string& flag) {
    return option->envname(variable_of(flag));
  }

  template <typename T, typename... Check>
  CLI::Option* add(const std::string& flag, T& target, const std::string& text,
                   const Check&... check) {
    CLI::Option* const option = env(app_.add_option(flag, target, text), flag);
    (option->check(check), ...);
    return option;
  }

  void add_hidden(const std::string& flag, std::uint32_t& target) {
    add(flag, target, "", CLI::Range(1U, kMaxDelayMilliseconds))->group("");
  }

  CLI::App& app_;
  Config config;
  std::uint32_t port = config.port;
  std::uint32_t control_plane_delay = 0;
  std::uint32_t global_index_delay = 0;
  std::uint32_t idle_timeout = static_cast<std::uint32_t>(config.idle_timeout.count());
  std::uint32_t request_timeout = static_cast<std::uint32_t>(config.request_timeout.count());
  std::uint32_t header_timeout = static_cast<std::uint32_t>(config.header_timeout.count());
  std::uint32_t drain_timeout = static_cast<std::uint32_t>(config.drain_timeout.count());
};

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

int report_usage(const std::string& problem) {
  std::cerr << "magneto: " << one_line(problem) << " (magneto --help lists the flags)\n";
  return kUsageError;
}

}  // namespace

std::variant<Config, int> parse_command_line(int argc, const char* const* argv) {
  CLI::App app("A DynamoDB-compatible database server for one machine", "magneto");
  app.set_version_flag("--version", "magneto " MAGNETO_VERSION);
  app.footer("Every flag can also be set in the environment: --data-dir as MAGNETO_DATA_DIR.");
  Options options(app);
  options.declare();
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return app.exit(done, std::cout, std::cerr);
  } catch (const CLI::ParseError& error) {
    return report_usage(error.what());
  }
  Config config = options.finish();
  if (config.sync_writes && config.data_directory.empty()) {
    return report_usage("--fsync needs a directory to write to: give one with --data-dir");
  }
  return config;
}

}  // namespace magneto::server
