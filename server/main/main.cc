#include <absl/cleanup/cleanup.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/authorization/authorizer.h"
#include "api/namespaces/namespaces.h"
#include "api/service.h"
#include "server/admin/control_token.h"
#include "server/admin/messages.h"
#include "server/bulk/jobs/job_runner.h"
#include "server/client/objects/folder_store.h"
#include "server/client/objects/s3_store.h"
#include "server/feeds/delivery/deliverer.h"
#include "server/feeds/event_sources/event_sources.h"
#include "server/http/access_rules.h"
#include "server/http/listen_socket.h"
#include "server/http/port_file.h"
#include "server/http/tls/tls_credentials.h"
#include "server/main/agent_session.h"
#include "server/main/command_line.h"
#include "server/main/memory_limits.h"
#include "server/main/note_files.h"
#include "server/main/run_command.h"
#include "server/main/server.h"
#include "server/main/start_messages.h"
#include "server/main/store_access.h"
#include "server/main/store_wait.h"
#include "server/main/system_clock_watch.h"
#include "server/main/tls_setup.h"
#include "server/main/verification.h"
#include "server/system/log.h"
#include "server/system/log_messages.h"
#include "server/system/service_notification.h"
#include "server/system/stdin_watch.h"
#include "server/system/terminal.h"
#include "server/tools/dynamodb_local/dynamodb_local_import.h"
#include "server/tools/messages.h"
#include "server/tools/schema/messages.h"
#include "server/tools/schema/schema_start.h"
#include "server/tools/schema/unfinished_tables.h"
#include "storage/background/shared_thread.h"
#include "storage/clock.h"
#include "storage/database_options.h"
#include "storage/databases.h"
#include "storage/table/memory_budget.h"

namespace magneto::server::main {
namespace {

// The bytes that point-in-time recovery keeps for a store's tables.
std::int64_t history_limit(const Config& config, bool on_disk) {
  return std::int64_t{config.history_megabytes.value_or(on_disk ? 1'024 : 256)} << 20;
}

storage::DatabaseOptions database_options(const Config& config, const MemoryPlan& memory) {
  storage::DatabaseOptions options{};
  options.data_directory = config.data_directory;
  options.sync_writes = config.sync_writes;
  options.partitions = config.partitions;
  options.control_plane_delay = config.control_plane_delay;
  options.delays_whole_tables = config.delays_whole_tables;
  options.global_index_delay = config.global_index_delay;
  options.replication_delay = config.replication_delay;
  options.time_to_live_delay = config.time_to_live_delay;
  options.item_collection_limit = std::int64_t{config.item_collection_limit_megabytes} << 20;
  options.history_limit = history_limit(config, !config.is_in_memory());
  options.report_warning = [](std::string_view what) {
    system::log_sparsely(system::LogSource::kStorage, system::LogLevel::kWarning, what);
  };
  options.memory_budget = memory.budget;
  options.token_memory = memory.tokens;
  return options;
}

void warn(std::string_view what) { system::log(system::LogLevel::kWarning, what); }

// Prints the lines of DynamoDB Local 3.1.0; the modules of Testcontainers wait for the first one.
void print_banner(const Config& config, std::uint16_t port) {
  const bool in_memory = config.is_in_memory();
  const std::string cors = fmt::format("{}", fmt::join(config.cors_origins, ","));
  fmt::print(
      "Initializing DynamoDB Local with the following configuration:\n"
      "Port:\t{}\nInMemory:\t{}\nVersion:\tMagneto {}\nDbPath:\t{}\nSharedDb:\t{}\n"
      "shouldDelayTransientStatuses:\t{}\nCorsParams:\t{}\n\n",
      port, in_memory, MAGNETO_VERSION, in_memory ? "null" : config.dynamodb_local_folder,
      config.isolation == api::Isolation::kNone, config.control_plane_delay.count() != 0,
      cors.empty() ? "null" : cors);
}

http::AccessOptions access_options(const Config& config, const http::ListenSocket& socket) {
  return {.host = config.host,
          .address = socket.address(),
          .on_loopback = socket.is_on_loopback(),
          .origins = config.cors_origins,
          .hosts = config.allowed_hosts};
}

void log_fault(std::string_view request_id, std::string_view operation, std::string_view what) {
  system::log(system::LogLevel::kError, system::messages::kFault(operation, request_id, what));
}

// Imports the tables from the folder of DynamoDB Local's files before the server answers requests.
void import_from_dynamodb_local(const Config& config, storage::Databases& databases) {
  if (config.dynamodb_local_folder.empty()) return;
  api::Service service(databases,
                       {.log = log_fault, .isolation = config.isolation, .report_elsewhere = {}});
  tools::import_dynamodb_local(config.dynamodb_local_folder,
                               {*databases.notes(), config.data_directory},
                               config.isolation == api::Isolation::kNone, service,
                               {.progress = system::print_problem, .warning = warn});
}

void warn_where_others_connect(const Config& config, const http::ListenSocket& socket) {
  if (socket.is_on_loopback()) return;
  if (config.sessions.auth != http::AuthMode::kVerify) {
    system::log(system::LogLevel::kWarning, messages::kReachable(socket.address()));
  } else if (config.has_metrics_page) {
    system::log(system::LogLevel::kWarning, messages::kReachableMetrics(socket.address()));
  }
}

// The owner of the tables of --schema: with --isolate region, the region.
api::Caller schema_caller(const Config& config) {
  api::Caller caller;
  caller.profile = config.profile;
  const auto region = config.schema_parameters.find("AWS::Region");
  if (region != config.schema_parameters.end()) caller.region = region->second;
  return caller;
}

// Creates the tables of --schema before the server answers requests. Returns the start message
// about them.
std::string make_schema_tables(const Config& config, storage::Databases& databases) {
  if (config.schema_files.empty()) return {};
  const storage::Clock clock;
  const auto empty = storage::Databases::open(storage::DatabaseOptions{}, clock);
  const api::ServiceOptions options{
      .log = log_fault, .isolation = config.isolation, .report_elsewhere = {}};
  api::Service rehearsal(*empty, options);
  api::Service service(databases, options);
  const tools::schema::SchemaTables tables = tools::schema::create_schema_tables(
      {.files = config.schema_files,
       .parameters = config.schema_parameters,
       .notes = databases.notes(),
       .by_region = config.isolation == api::Isolation::kRegion},
      schema_caller(config), rehearsal, service,
      {.warning = warn, .progress = system::print_problem});
  return tools::schema::messages::tables_of_files(config.schema_files, tables.names, tables.made);
}

// Does the work that an earlier version or an unfinished start left: migrates its files of notes, and
// removes its unfinished tables, which no client has seen.
void finish_earlier_start(const std::string& data_directory, storage::Databases& databases) {
  const std::shared_ptr<storage::Notes> notes = databases.notes();
  if (!data_directory.empty()) migrate_note_files(data_directory, *notes);
  const tools::schema::UnfinishedTables unfinished(*notes);
  const std::optional<tools::schema::UnfinishedTables::Record> record = unfinished.read();
  if (!record) return;
  const auto isolation = record->region ? api::Isolation::kRegion : api::Isolation::kNone;
  api::Service service(databases,
                       {.log = log_fault, .isolation = isolation, .report_elsewhere = {}});
  tools::schema::remove_unfinished_tables(unfinished, *record, service, warn);
}

api::ServiceOptions service_options(const Config& config, bulk::JobRunner& jobs,
                                    feeds::Deliverer& deliverer, api::Authorizer* authorizer) {
  return {.log = log_fault,
          .enforce_throughput = config.enforce_throughput,
          .isolation = config.isolation,
          .report_elsewhere =
              [](std::string_view what) {
                system::log_sparsely(system::LogSource::kCallers, system::LogLevel::kWarning, what);
              },
          .authorizer = authorizer,
          .job_context = {.jobs = &jobs},
          .deliveries = &deliverer};
}

std::shared_ptr<client::ObjectStore> object_store(const Config& config) {
  if (!config.objects_folder.empty()) return client::make_folder_store(config.objects_folder);
  if (config.s3_endpoint.empty()) return nullptr;
  return client::make_s3_store(client::parse_endpoint_url(config.s3_endpoint).value(),
                               client::process_environment(), config.data_directory);
}

// nullptr if notes end with the process.
std::shared_ptr<storage::Notes> durable_notes(storage::Databases& databases) {
  std::shared_ptr<storage::Notes> notes = databases.notes();
  return notes->is_durable() ? notes : nullptr;
}

bulk::JobRunnerOptions job_options(const Config& config, storage::Databases& databases) {
  return {.objects = object_store(config),
          .notes = durable_notes(databases),
          .data_directory = config.data_directory,
          .isolation = config.isolation,
          .servers = {databases.server(),
                      [&databases](std::int64_t server) { return databases.has_left(server); }},
          .log = log_fault,
          .warn = [](std::string_view what) {
            system::log_sparsely(system::LogSource::kJobs, system::LogLevel::kWarning, what);
          }};
}

feeds::DelivererOptions deliverer_options(const Config& config, storage::Databases& databases) {
  return {.endpoint = config.kinesis_endpoint,
          .notes = durable_notes(databases),
          .log = {.warn =
                      [](std::string_view what) {
                        system::log_sparsely(system::LogSource::kDeliveries,
                                             system::LogLevel::kWarning, what);
                      },
                  .warn_left_out =
                      [](std::string_view what) {
                        system::log_sparsely(system::LogSource::kUndelivered,
                                             system::LogLevel::kWarning, what);
                      }}};
}

feeds::EventSourcesOptions event_sources_options(const Config& config, const MemoryPlan& memory) {
  return {.file = config.event_sources_file,
          .call_memory = memory.calls,
          .warn =
              [](std::string_view what) {
                system::log_sparsely(system::LogSource::kEventSources, system::LogLevel::kWarning,
                                     what);
              },
          .warn_left_out =
              [](std::string_view what) {
                system::log_sparsely(system::LogSource::kLeftOut, system::LogLevel::kWarning, what);
              }};
}

// The options of the main namespace, but in memory, and with few of the buffers for many threads.
storage::DatabaseOptions namespace_options(const Config& config, const MemoryPlan& memory,
                                           std::shared_ptr<storage::MemoryBudget> room,
                                           storage::BackgroundThreads& background) {
  storage::DatabaseOptions options = database_options(config, memory);
  options.data_directory.clear();
  options.store.reset();
  options.sync_writes = false;
  options.reader_slots = 1;
  options.fork_memory = 256LL << 20;
  options.history_limit = history_limit(config, false);
  options.whole_room = std::move(room);
  options.background = &background;
  return options;
}

std::optional<admin::ControlOptions> control_options(const Config& config) {
  if (!config.has_control) return std::nullopt;
  const bool is_random = config.control_token.empty();
  return admin::ControlOptions{
      .token = is_random ? admin::make_control_token() : config.control_token,
      .token_is_random = is_random,
      .auth = config.sessions.auth,
      .profile = config.profile,
      .isolation = config.isolation,
      .is_durable = !config.is_in_memory(),
      .shares_store = config.shares_store,
      .speaks_tls = config.speaks_tls(),
      .has_page = config.has_browser};
}

// nullptr if there is no token to store.
std::unique_ptr<admin::ControlTokenFile> keep_token(const Config& config, std::uint16_t port,
                                                    std::string_view token) {
  if (!config.has_control || !config.control_token.empty()) return nullptr;
  return std::make_unique<admin::ControlTokenFile>(config.data_directory, port, token, warn);
}

void print_control(const Config& config, const std::string& url, const std::string& token,
                   const admin::ControlTokenFile* file) {
  if (!config.has_control) return;
  const std::string line = file == nullptr ? admin::messages::kControlWithGivenToken(url)
                                           : admin::messages::control_at(url, token, file->path());
  std::fputs(line.c_str(), stdout);
}

void print_ready(const Config& config, const std::string& url, const std::string& tables) {
  print_trust(config);
  const std::string ready =
      messages::ready(MAGNETO_VERSION, url, place_of_data(config), config.sync_writes, tables);
  std::fputs(ready.c_str(), stdout);
}

// Serves an agent beside clients; nullptr: there is none.
std::unique_ptr<AgentSession> begin_session(const std::optional<AgentOptions>& agent,
                                            Server& server, const std::string& url) {
  if (!agent) return nullptr;
  return std::make_unique<AgentSession>(*agent, server.agents(), url, [&server] { server.stop(); });
}

void serve(const Config& config, const std::optional<AgentOptions>& agent = std::nullopt) {
  const std::stop_token end = config.ends_with_stdin ? system::watch_stdin() : std::stop_token();
  http::ListenSocket socket(config.host, config.port);
  const std::unique_ptr<http::TlsCredentials> tls = make_credentials(config, warn);
  const MemoryPlan memory = plan_memory(config, read_memory_limit());
  const auto verification = make_verification(config, warn);
  feeds::EventSources event_sources(event_sources_options(config, memory));
  const auto settings = std::make_shared<api::ControlSettings>(api::Namespaces::kMainName);
  const auto room = std::make_shared<storage::MemoryBudget>();
  storage::DatabaseOptions main = database_options(config, memory);
  if (config.is_in_memory()) main.whole_room = room;
  StoreWait wait(config, memory, access_options(config, socket), tls.get(), socket, end);
  auto databases = wait.open(main, settings->clock);
  if (databases == nullptr) return;
  finish_earlier_start(config.data_directory, *databases);
  import_from_dynamodb_local(config, *databases);
  const std::string tables = make_schema_tables(config, *databases);
  storage::BackgroundThreads background;
  bulk::JobRunner jobs(job_options(config, *databases));
  feeds::Deliverer deliverer(deliverer_options(config, *databases));
  api::Authorizer* const authorizer = verification ? &verification->authorizer : nullptr;
  api::Namespaces namespaces(std::move(databases), settings,
                             {.database = namespace_options(config, memory, room, background),
                              .main_database = std::move(main),
                              .service = service_options(config, jobs, deliverer, authorizer)});
  const SystemClockWatch clock_watch([&](auto by) { namespaces.record_system_step(by); });
  jobs.attach(namespaces);
  const auto stop_jobs = [&] {
    jobs.stop();
    deliverer.stop();
    event_sources.stop();
  };
  const absl::Cleanup end_jobs = stop_jobs;
  warn_where_others_connect(config, socket);
  std::optional<admin::ControlOptions> control = control_options(config);
  const std::string token = control ? control->token : "";
  Server server(config, memory, namespaces, *room,
                http::AccessRules(access_options(config, socket)),
                verification ? &verification->verifier : nullptr, tls.get(), std::move(control));
  server.attach(event_sources);
  event_sources.start(namespaces);
  server.start(socket);
  {
    const http::PortFile port_file(config.port_file, socket.port());
    const auto token_file = keep_token(config, socket.port(), token);
    if (config.profile == api::Profile::kDynamoDbLocal) print_banner(config, socket.port());
    const std::string url = (tls ? "https://" : "http://") + socket.address();
    print_ready(config, url, tables);
    print_control(config, url + "/_/", token, token_file.get());
    std::fflush(stdout);
    system::notify_service_manager("READY=1");
    deliverer.start(namespaces);
    const auto session = begin_session(agent, server, url);
    server.run(end);
    stop_jobs();
  }
  system::write_held_lines(true);
  // End at once: destroying millions of items one by one would take seconds.
  if (config.is_in_memory()) std::_Exit(0);
}

// A data directory that no server has open, opened while a command runs.
struct OpenedDirectory {
  explicit OpenedDirectory(const Config& config)
      : databases(storage::Databases::open(
            database_options(config, plan_memory(config, read_memory_limit())), clock)),
        service(*databases, {.log = log_fault, .report_elsewhere = {}}) {
    finish_earlier_start(config.data_directory, *databases);
  }

  storage::Clock clock;
  const std::unique_ptr<storage::Databases> databases;
  api::Service service;
};

client::OpenService open_directory(const std::string& directory, bool create) {
  if (!create && !std::filesystem::is_directory(directory)) {
    throw std::runtime_error(tools::messages::kNoDirectory(directory));
  }
  Config config;
  config.data_directory = directory;
  auto opened = std::make_shared<OpenedDirectory>(config);
  return {opened, &opened->service};
}

int run_server(const Config& config, const std::optional<AgentOptions>& agent) {
  std::signal(SIGHUP, SIG_IGN);  // until the server handles it
  system::set_log_level(config.log_level);
  try {
    serve(config, agent);
    system::write_held_lines(true);
    return 0;
  } catch (const std::exception& error) {
    system::write_held_lines(true);
    system::print_problem(error.what());
    return 1;
  }
}

int serve_agent(const OwnServer& own) {
  try {
    return run_server(own.config,
                      AgentOptions{.read_only = own.read_only, .output = take_standard_output()});
  } catch (const std::exception& error) {
    system::print_problem(error.what());
    return 1;
  }
}

int run(int argc, const char* const* argv) {
  // The server's files are readable by its user only, including those of RocksDB, which takes no
  // mode.
  ::umask(S_IRWXG | S_IRWXO);
  std::signal(SIGPIPE, SIG_IGN);
  if (const system::Command* const command = command_of(argc, argv)) {
    return run_command(*command, argc, argv,
                       {.open_directory = open_directory, .serve_agent = serve_agent});
  }
  const std::variant<Config, int> parsed = parse_command_line(argc, argv);
  if (const int* status = std::get_if<int>(&parsed)) return *status;
  return run_server(std::get<Config>(parsed), std::nullopt);
}

}  // namespace
}  // namespace magneto::server::main

int main(int argc, char** argv) { return magneto::server::main::run(argc, argv); }
