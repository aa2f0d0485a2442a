#include "server/main/command_line.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/admin/control_token.h"
#include "server/admin/messages.h"
#include "server/http/access_rules.h"
#include "server/main/command_line_modes.h"
#include "server/main/config_conflict.h"
#include "server/main/dynamodb_local_arguments.h"
#include "server/main/dynamodb_local_defaults.h"
#include "server/main/given_flags.h"
#include "server/system/command_line_checks.h"
#include "server/system/command_line_messages.h"
#include "server/system/command_line_reading.h"
#include "server/system/commands.h"
#include "server/system/environment_variables.h"
#include "server/system/listed_parts.h"

namespace magneto::server::main {
namespace {

CLI::Validator control_token() {
  const auto check = [](const std::string& text) {
    if (admin::is_control_token(text)) return std::string();
    return std::string(admin::messages::kNotAToken);
  };
  return {check, {}};
}

using std::chrono::milliseconds;

constexpr std::uint32_t kMaxDelayMilliseconds = 24 * 60 * 60 * 1000;

// The options in the order of --help, and the settings that they fill.
class Options {
 public:
  // `given`: the flags to declare; nullopt: all.
  Options(CLI::App& app, std::optional<GivenFlags> given) : app_(app), given_(std::move(given)) {
    declare();
  }

  bool is_set(const std::string& flag) const {
    const CLI::Option* const option = app_.get_option_no_throw(flag);
    return option != nullptr && option->count() > 0;
  }

  // The error about unknown names of variables.
  std::string unknown_variable() const {
    std::vector<std::string> known;
    for (const CLI::Option* option : app_.get_options()) {
      if (!option->get_envname().empty()) known.push_back(option->get_envname());
    }
    return system::unknown_variable_problem(environ, known);
  }

  // CLI11 ignores empty variables.
  std::string empty_variable() const {
    for (const std::string& flag : texts_) {
      const char* const value = std::getenv(system::variable_of(flag).c_str());
      if (value == nullptr || *value != '\0' || is_set(flag)) continue;
      return system::messages::kOfFlagAndVariable(flag, system::variable_of(flag),
                                                  system::messages::kEmptyValue);
    }
    return {};
  }

  Config finish() {
    config_.port = static_cast<std::uint16_t>(port_);
    config_.sessions.auth = mode_of(kAuthModes, auth_);
    config_.profile = mode_of(kProfiles, profile_);
    config_.agent_access = mode_of(kAgentAccess, agent_access_);
    config_.isolation = mode_of(kIsolations, isolation_);
    config_.log_level = mode_of(kLogLevels, log_level_);
    config_.cors_origins = system::canonical_parts(cors_, http::canonical_origin);
    if (!system::parts_of(allowed_hosts_).empty()) {
      config_.allowed_hosts = system::canonical_parts(allowed_hosts_, http::canonical_host);
    }
    config_.has_metrics_page = !no_metrics_;
    config_.has_control = !no_control_;
    config_.has_browser = !no_ui_;
    for (const std::string& parameter : schema_parameters_) {
      const std::size_t equals = parameter.find('=');
      config_.schema_parameters[parameter.substr(0, equals)] = parameter.substr(equals + 1);
    }
    config_.control_plane_delay = milliseconds(control_plane_delay_);
    if (is_set("--gsi-delay-ms")) {
      config_.global_index_delay = milliseconds(global_index_delay_);
    }
    if (is_set("--replication-delay-ms")) {
      config_.replication_delay = milliseconds(replication_delay_);
    }
    config_.time_to_live_delay = milliseconds(time_to_live_delay_);
    config_.lease = milliseconds(lease_);
    config_.sessions.idle_timeout = milliseconds(idle_timeout_);
    config_.sessions.request_timeout = milliseconds(request_timeout_);
    config_.sessions.header_timeout = milliseconds(header_timeout_);
    config_.sessions.drain_timeout = milliseconds(drain_timeout_);
    return std::move(config_);
  }

 private:
  void declare() {
    app_.set_version_flag("-v,--version", "magneto " MAGNETO_VERSION);
    show_default(add("-p,--port NUMBER", port_, "Port to listen on; 0 takes any free one",
                     system::whole_number(0, 65535)));
    show_default(
        add("--host ADDRESS", config_.host, "Address or name to listen on; :: is every address"));
    show_default(add("--like SERVICE", profile_, "Which service to imitate: aws or dynamodb-local",
                     one_of(kProfiles)));
    add("--data-dir DIR", config_.data_directory, "Keep tables in this directory (else in memory)");
    declare_store();
    add_switch("--fsync", config_.sync_writes,
               "With --data-dir: a write reaches the disk before it is acknowledged");
    add("--s3-dir DIR", config_.objects_folder,
        "Folder whose subfolders serve as S3 buckets, for ExportTableToPointInTime and ImportTable");
    add("--s3-endpoint URL", config_.s3_endpoint,
        "S3 endpoint to use instead of --s3-dir: http://localhost:9000");
    add("--kinesis-endpoint URL", config_.kinesis_endpoint,
        "Send changes of tables with a Kinesis streaming destination here: http://localhost:4567");
    add("--event-sources FILE", config_.event_sources_file,
        "JSON file of functions at Lambda-compatible endpoints that receive the records of streams");
    declare_schema();
    add("--threads NUMBER", config_.threads, "I/O threads (default: one for each processor)",
        system::whole_number(1, 256));
    add("--partitions NUMBER", config_.partitions,
        "Partitions of a new table (default: as DynamoDB)", system::whole_number(1, 4096));
    show_default(add("--control-plane-delay-ms NUMBER", control_plane_delay_,
                     "How long a table stays CREATING, UPDATING, DELETING", delay()));
    add("--gsi-delay-ms NUMBER", global_index_delay_,
        "How long a global index lags behind its table (default: no visible lag)", delay());
    add("--replication-delay-ms NUMBER", replication_delay_,
        "How long a change takes to reach the replicas of a global table (default: no delay)",
        delay());
    show_default(
        add("--ttl-delay-ms NUMBER", time_to_live_delay_,
            "How long an expired item stays readable, by the server's clock; 0 deletes it at once",
            delay()));
    add_switch("--enforce-throughput", config_.enforce_throughput,
               "Throttle tables, global indexes and hot keys as DynamoDB does");
    declare_access();
    declare_tls();
    add("--port-file FILE", config_.port_file, "File that holds the port while the server runs");
    add_switch("--end-with-stdin", config_.ends_with_stdin,
               "Stop at the end of standard input: when the process that holds its pipe has ended");
    declare_sizes();
    add("--max-connections NUMBER", config_.max_connections,
        "Connections at the same time (default: 10000, or what the descriptor limit allows)",
        system::whole_number(1, 1'000'000));
    show_default(add("--log-level LEVEL", log_level_,
                     "Lowest level that goes to stderr: debug, info, warning, error or off",
                     one_of(kLogLevels)));
    add("--access-log FILE", config_.access_log,
        "File for one line of JSON for each request; - is standard output (default: none)");
    declare_pages();
    declare_for_tests();
  }

  // Declares the flags for access: callers and permissions.
  void declare_access() {
    show_default(add(
        "--auth MODE", auth_,
        "shape: any well-formed credentials are accepted; verify: requests must be signed with a key of --credentials; off: no credentials are needed",
        one_of(kAuthModes)));
    add("--credentials FILE", config_.credentials_file,
        "With --auth verify: the keys, in the format of ~/.aws/credentials; reloaded when the file changes");
    add("--iam FILE", config_.iam_file,
        "With --auth verify: JSON file of users and roles, with the policies that apply to their keys; reloaded when the file changes");
    show_default(add(
        "--isolate MODE", isolation_,
        "none: all clients share the tables; region: each region has its own tables; credentials: each access key has its own in each region",
        one_of(kIsolations)));
    add("--cors ORIGINS", cors_,
        "Allow web pages of these origins, or of any (*), besides those of this machine",
        system::list_of(http::canonical_origin, system::messages::kOrigins));
    add("--allowed-hosts NAMES", allowed_hosts_,
        "Accept these host names, or any (*), besides those of this machine (default: any if other machines can connect)",
        system::list_of(http::canonical_host, system::messages::kHosts));
  }

  void declare_store() {
    add("--store URL", config_.store,
        "Keep tables in this PostgreSQL database, which other servers may take over: postgres://user@host/database");
    add("--store-password-file FILE", config_.store_password_file,
        "With --store: file with the password of the user (default: as libpq finds it, by PGPASSFILE)");
    show_default(add("--store-connections NUMBER", config_.store_connections,
                     "With --store: connections to the database", system::whole_number(2, 256)));
    show_default(
        add("--lease-ms NUMBER", lease_,
            "With --store: how long another server waits before it takes over from this one",
            system::whole_number(500, 600'000)));
    add_switch(
        "--shared", config_.shares_store,
        "With --store: serve at the same time as other servers with --shared, instead of waiting for them");
    add_switch("--relay", config_.relays,
               "With --store: while another server is active, pass connections on to it");
    add("--advertise-address ADDRESS", config_.advertise_address,
        "With --store: HOST or HOST:PORT by which the other servers reach this one (default: --host, or the name of the machine)");
  }

  void declare_tls() {
    add("--tls-cert FILE", config_.tls_certificate,
        "Serve HTTPS with this certificate chain (PEM); reloaded when the file changes");
    add("--tls-key FILE", config_.tls_key, "The private key of --tls-cert (PEM)");
    add_switch(
        "--tls-self-signed", config_.tls_self_signed,
        "Serve HTTPS with a new certificate, for tests; the certificate that clients must trust is written to --tls-cert");
  }

  void declare_sizes() {
    add("--memory-budget-mb NUMBER", config_.memory_budget_megabytes,
        "With --data-dir: memory for caches and write buffers (default: 512, at most a quarter of the memory limit)",
        system::whole_number(8, 1 << 20));
    add("--memory-limit-mb NUMBER", config_.memory_limit_megabytes,
        "Memory of the process; without --data-dir, writes that add data are refused at 90 % of it (default: the container's limit, or all of the machine's)",
        system::whole_number(32, 1 << 24));
    add("--pitr-max-mb NUMBER", config_.history_megabytes,
        "Space for point-in-time recovery of all tables; when it is full, the oldest history is dropped (default: 1024, without --data-dir 256)",
        system::whole_number(1, 1 << 24));
  }

  void declare_schema() {
    add_list("--schema FILE", config_.schema_files,
             "Create the tables that this file or folder describes; may be repeated");
    add_list("--schema-parameter PARAMETER", schema_parameters_,
             "With --schema: NAME=VALUE, a parameter of its files; may be repeated",
             system::parameter_name());
  }

  void declare_pages() {
    add_switch("--no-metrics", no_metrics_, "Do not serve the metrics at /metrics");
    add("--control-token TOKEN", config_.control_token,
        "Token that requests to /_/ must send (default: a random token, printed at the start)",
        control_token());
    show_default(add(
        "--mcp MODE", agent_access_,
        "Tools that agents have at /_/mcp: all; read-only: those that change nothing; off: none",
        one_of(kAgentAccess)));
    add_switch("--no-control", no_control_, "Do not serve the control interface at /_/");
    add_switch("--no-ui", no_ui_, "Do not serve the data browser at /_/");
    add("--ui-dir DIR", config_.browser_folder,
        "Serve the data browser from this folder (server/browser/page), for its development");
  }

  // These flags have no line in --help.
  void declare_for_tests() {
    hide(add("--held-memory-mb NUMBER", config_.held_memory_megabytes, "",
             system::whole_number(0, 1 << 20)));
    hide(add("--item-collection-limit-mb NUMBER", config_.item_collection_limit_megabytes, "",
             system::whole_number(1, 10 * 1024)));
    hide(add("--max-long-requests NUMBER", config_.max_long_requests, "",
             system::whole_number(0, 1 << 20)));
    hide(add("--idle-timeout-ms NUMBER", idle_timeout_, "", delay()));
    hide(add("--request-timeout-ms NUMBER", request_timeout_, "", delay()));
    hide(add("--header-timeout-ms NUMBER", header_timeout_, "", delay()));
    hide(add("--drain-timeout-ms NUMBER", drain_timeout_, "", delay()));
  }

  static CLI::Validator delay() { return system::whole_number(0, kMaxDelayMilliseconds); }

  static CLI::Option* env(CLI::Option* option, const std::string& flag) {
    return option->envname(system::variable_of(flag))->take_last();
  }

  // Of an option that may not be declared.
  static void show_default(CLI::Option* option) {
    if (option != nullptr) option->capture_default_str();
  }
  static void hide(CLI::Option* option) {
    if (option != nullptr) option->group("");
  }

  // A switch is true if the flag is given. In the environment it is "true" or "false".
  void add_switch(const char* flag, bool& target, const char* text) {
    if (given_ && !given_->has(flag)) return;
    env(app_.add_flag(flag, target, text), flag);
  }

  // `usage` is the flag, after its short form if it has one, and a word for its value: "-p,--port
  // NUMBER". Without a check, the flag takes any non-empty text. Returns nullptr if the flag is not to be
  // declared.
  template <typename T, typename... Check>
  CLI::Option* add(std::string_view usage, T& target, const char* text, const Check&... check) {
    const std::size_t blank = usage.find(' ');
    if (given_ && !given_->has(usage.substr(0, blank))) return nullptr;
    const std::string names(usage.substr(0, blank));
    const std::string flag = names.substr(names.find("--"));
    CLI::Option* const option = env(app_.add_option(names, target, text), flag);
    if constexpr (sizeof...(check) == 0) {
      option->check(system::not_empty());
      texts_.push_back(flag);
    }
    (option->check(check), ...);
    return option->type_name(std::string(usage.substr(blank + 1)));
  }

  // Like add(), but a repeated flag adds to the list. A variable of the environment adds one
  // element.
  template <typename... Check>
  void add_list(std::string_view usage, std::vector<std::string>& target, const char* text,
                const Check&... check) {
    CLI::Option* const option = add(usage, target, text, check...);
    if (option == nullptr) return;
    option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }

  static std::uint32_t count_of(milliseconds time) {
    return static_cast<std::uint32_t>(time.count());
  }

  CLI::App& app_;
  const std::optional<GivenFlags> given_;
  std::vector<std::string> texts_;  // flags that take any non-empty text
  Config config_;
  std::uint32_t port_ = config_.port;
  std::string auth_ = "shape";
  std::string profile_ = "aws";
  std::string isolation_ = "none";
  std::string agent_access_ = "all";
  std::string cors_;
  std::string allowed_hosts_;
  std::string log_level_ = "warning";
  bool no_metrics_ = false;
  bool no_control_ = false;
  bool no_ui_ = false;
  std::vector<std::string> schema_parameters_;
  std::uint32_t control_plane_delay_ = 0;
  std::uint32_t global_index_delay_ = 0;
  std::uint32_t replication_delay_ = 0;
  std::uint32_t time_to_live_delay_ = 10'000;
  std::uint32_t lease_ = count_of(config_.lease);
  std::uint32_t idle_timeout_ = count_of(config_.sessions.idle_timeout);
  std::uint32_t request_timeout_ = count_of(config_.sessions.request_timeout);
  std::uint32_t header_timeout_ = count_of(config_.sessions.header_timeout);
  std::uint32_t drain_timeout_ = count_of(config_.sessions.drain_timeout);
};

// Kubernetes sets MAGNETO_PORT to an address if a service is called magneto.
void leave_out_service_link() {
  const std::string port = system::variable_of("--port");
  const char* const value = std::getenv(port.c_str());
  if (value != nullptr && system::is_service_link(value)) ::unsetenv(port.c_str());
}

constexpr const char* kProgram = "magneto";
constexpr std::string_view kPurpose = "A DynamoDB-compatible database server for one machine";
constexpr const char* kFooter =
    "Every flag can also be set in the environment: --data-dir as MAGNETO_DATA_DIR.\n"
    "DynamoDB Local's command line is understood too: magneto -help shows it.\n\n"
    "Examples:\n"
    "  magneto                                          tables in memory, on port 8000\n"
    "  magneto -p 9000 --data-dir ./data                tables in a directory\n"
    "  magneto --schema template.yaml --no-ui           with the tables of a template";

int print(std::string_view text) {
  std::cout << text;
  return 0;
}

struct CommandLine {
  explicit CommandLine(std::optional<GivenFlags> given = std::nullopt)
      : app(given ? std::string() : std::string(kPurpose) + "\n\n" + system::commands_overview(),
            kProgram),
        options(app, std::move(given)) {
    app.footer(kFooter);
  }

  CLI::App app;
  Options options;
};

// With the options that are given. Help and most errors need all.
std::unique_ptr<CommandLine> declare_options(const std::vector<std::string>& flags) {
  auto line = std::make_unique<CommandLine>(GivenFlags(flags, environ));
  if (system::has_all_names(line->app, flags) && line->options.unknown_variable().empty()) {
    return line;
  }
  return std::make_unique<CommandLine>();
}

}  // namespace

std::string unknown_server_variable() { return CommandLine().options.unknown_variable(); }

std::variant<Config, int> parse_command_line(int argc, const char* const* argv) {
  leave_out_service_link();
  std::vector<std::string> flags(argv + std::min(argc, 1), argv + argc);
  std::optional<DynamoDbLocalArguments> local;
  if (is_dynamodb_local_command(argc > 0 ? argv[0] : "", flags)) {
    std::string problem;
    local = read_dynamodb_local_arguments(flags, problem);
    if (!problem.empty()) return system::report_usage(CommandLine().app, problem);
    if (local->help) return print(kDynamoDbLocalUsage);
    if (local->version) return print(kDynamoDbLocalVersion);
    flags = local->flags;
  }
  const std::unique_ptr<CommandLine> line = declare_options(flags);
  Options& options = line->options;
  const std::optional<int> status = system::read_arguments(
      line->app, std::move(flags), [&] { return options.unknown_variable(); },
      nearest_local_option);
  if (status) return *status;
  if (const std::string problem = options.empty_variable(); !problem.empty()) {
    return system::report_usage(line->app, problem);
  }
  Config config = options.finish();
  const auto is_given = [&](const std::string& flag) { return options.is_set(flag); };
  if (local && !is_given("--like")) config.profile = api::Profile::kDynamoDbLocal;
  if (config.profile == api::Profile::kDynamoDbLocal) apply_local_defaults(is_given, config);
  if (local) apply_local_arguments(*local, is_given, config);
  if (const std::string problem = conflict_in(config); !problem.empty()) {
    return system::report_usage(line->app, problem);
  }
  return config;
}

}  // namespace magneto::server::main
