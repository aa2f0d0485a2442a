#include "server/main/server.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/basic_signal_set.hpp>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "api/control_error.h"
#include "server/admin/control.h"
#include "server/admin/mcp/agent_page.h"
#include "server/admin/metrics/metrics_page.h"
#include "server/admin/metrics/storage_families.h"
#include "server/admin/namespace_ports.h"
#include "server/browser/browser.h"
#include "server/feeds/event_sources/event_sources.h"
#include "server/http/access_log.h"
#include "server/http/answer_messages.h"
#include "server/http/connection_memory_budget.h"
#include "server/http/listener.h"
#include "server/http/memory_watch.h"
#include "server/http/request_router.h"
#include "server/http/session_group.h"
#include "server/http/work_memory.h"
#include "server/main/capacity.h"
#include "server/main/refused_connection.h"
#include "server/main/start_messages.h"
#include "server/main/store_access.h"
#include "server/system/log.h"
#include "server/system/log_messages.h"
#include "server/system/service_notification.h"
#include "server/system/start_error.h"
#include "server/system/worker_pool.h"
#include "storage/engine/processors.h"
#include "storage/table/memory_budget.h"

namespace magneto::server::main {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kMaxWaitingWorkers = 64;
// A call waits for a database longer than for a disk: at 5 ms a call these answer 51,000 a second.
constexpr std::size_t kMaxWaitingForStore = 256;
// More than can wait to change the state of namespaces, or to settle.
constexpr std::size_t kMaxControlWorkers = 512;
// The limit for handshakes that wait or run; so many take a processor half a second to three
// seconds. Further connections are closed.
constexpr std::size_t kMaxHandshakes = 1'024;
// For computing workers, so that I/O threads always run first.
constexpr int kNicenessOfLongWork = 5;

}  // namespace

// An accepted connection, and its own port unless it came through the main port.
struct Arrival {
  int descriptor;
  std::shared_ptr<const system::OwnPort> own_port = nullptr;
};

struct Server::State final : admin::ControlledServer {
  using SignalSet = asio::basic_signal_set<system::Executor>;

  State(const Config& config, const MemoryPlan& memory, api::Namespaces& namespaces,
        storage::MemoryBudget& room, http::AccessRules access,
        const http::SignatureVerifier* verifier, http::TlsCredentials* tls,
        std::optional<admin::ControlOptions> control_options);
  ~State() override;

  void take(const Arrival& arrival);
  void welcome(const Arrival& arrival);
  void replace_idle(const Arrival& arrival, std::vector<http::SessionGroup*> groups_left);
  std::vector<http::SessionGroup*> groups_by_idleness();
  void refuse_connection(int descriptor);
  void hand_over(http::Connection connection);
  bool has_thread(std::size_t group);
  bool wait_for_threads();
  void shut_down();
  void follow_hangups();
  void show_metrics(http::HttpResponse& response) const;

  admin::ServerStatistics statistics() const override;
  http::RequestTotals request_totals() const override;
  bool is_stopping() const override { return router.stopping(); }
  std::string open_port(const api::NamespaceDescription& space, std::uint16_t wanted) override;
  std::string url_of(const api::NamespaceDescription& space) const override;
  std::string url_at(const std::string& address) const;

  const std::chrono::system_clock::time_point started = std::chrono::system_clock::now();
  api::Namespaces& namespaces;
  const std::uint64_t memory_limit;
  std::unique_ptr<http::AccessLog> access_log;  // nullptr if none is written
  http::TableLabels tables;
  http::TlsCredentials* const tls;
  http::WorkMemory work_memory;
  const std::optional<admin::Control> control;
  const std::optional<admin::mcp::AgentPage> agents;  // in front of control
  const std::optional<browser::Browser> browser;
  http::RequestRouter router;
  const std::size_t max_connections;
  http::Workers workers;
  http::ConnectionMemoryBudget held_memory;
  http::MemoryWatch memory_watch;
  // New connections, on the thread that calls run(). This thread also accepts them and receives
  // signals.
  http::SessionGroup acceptor;
  // threads[i] runs groups[i]: the first from the start, each other one from its first connection
  // on.
  std::vector<std::unique_ptr<http::SessionGroup>> groups;
  std::vector<std::thread> threads;
  std::vector<std::unique_ptr<http::Listener>> listeners;
  admin::NamespacePorts ports;
  std::optional<SignalSet> signals;
  const feeds::EventSources* event_sources = nullptr;
  std::optional<SignalSet> hangups;  // SIGHUP reopens the file of an access log
  // Only the acceptor's thread changes these.
  std::atomic<std::uint64_t> accepted{0};
  std::atomic<std::uint64_t> refused{0};
  std::atomic<std::uint64_t> replaced{0};
};

Server::State::State(const Config& config, const MemoryPlan& memory,
                     api::Namespaces& used_namespaces, storage::MemoryBudget& room,
                     http::AccessRules access, const http::SignatureVerifier* verifier,
                     http::TlsCredentials* used_tls,
                     std::optional<admin::ControlOptions> control_options)
    : namespaces(used_namespaces),
      memory_limit(memory.limit),
      access_log(config.access_log.empty() ? nullptr
                                           : std::make_unique<http::AccessLog>(config.access_log)),
      tls(used_tls),
      work_memory(memory.work),
      control(control_options ? std::optional<admin::Control>(
                                    std::in_place, std::move(*control_options), namespaces, *this)
                              : std::nullopt),
      agents(control ? std::make_optional<admin::mcp::AgentPage>(
                           *control,
                           admin::mcp::AgentServer({.namespaces = namespaces,
                                                    .control = *control,
                                                    .profile = config.profile}),
                           config.agent_access, config.speaks_tls())
                     : std::nullopt),
      browser(config.has_browser
                  ? std::make_optional<browser::Browser>(
                        [this](const http::AccessRules& rules, const http::HttpRequest& request) {
                          return control ? control->token_for_page(rules, request)
                                         : std::string_view();
                        },
                        config.browser_folder)
                  : std::nullopt),
      router(namespaces.main()->service(), work_memory, config.sessions.auth, std::move(access),
             config.profile, verifier,
             config.has_metrics_page
                 ? [this](http::HttpResponse& response) { show_metrics(response); }
                 : http::RequestRouter::ShowMetrics(),
             &namespaces, agents ? &*agents : nullptr, browser ? &*browser : nullptr),
      max_connections(connection_limit(config, memory)),
      workers{system::WorkerPool(config.store.empty() ? kMaxWaitingWorkers : kMaxWaitingForStore),
              system::WorkerPool(storage::processor_count(), config.max_long_requests,
                                 kNicenessOfLongWork),
              system::WorkerPool(kMaxControlWorkers),
              system::WorkerPool(storage::processor_count(), kMaxHandshakes, kNicenessOfLongWork)},
      held_memory(memory.held),
      memory_watch(
          memory.limit, memory.held, held_memory, room,
          [this, is_in_memory = config.is_in_memory()] {
            return is_in_memory || namespaces.count() != 0;
          },
          [this] { return namespaces.destroyed(); }),
      acceptor(router, workers, held_memory, config.sessions, tables, access_log.get(),
               [this](http::Connection connection) { hand_over(std::move(connection)); }),
      threads(thread_count(config)),
      ports(config.host, acceptor.context(),
            [this](int descriptor, std::shared_ptr<const system::OwnPort> port) {
              take({descriptor, std::move(port)});
            }) {
  namespaces.set_removal_listener(
      [this](const api::NamespaceDescription& removed) { ports.close(removed.number); });
  namespaces.set_wait_for_threads([this] { return wait_for_threads(); });
  for (std::size_t i = 0; i < threads.size(); ++i) {
    groups.push_back(std::make_unique<http::SessionGroup>(
        router, workers, held_memory, config.sessions, tables, access_log.get()));
  }
  asio::io_context& context = acceptor.context();
  signals.emplace(context.get_executor(), SIGTERM, SIGINT);
  signals->async_wait([this](const boost::system::error_code& error, int) {
    if (!error) shut_down();
  });
  hangups.emplace(context.get_executor(), SIGHUP);
  follow_hangups();
}

void Server::State::follow_hangups() {
  hangups->async_wait([this](const boost::system::error_code& error, int) {
    // The wait may have ended before shut_down() could cancel it; a new wait would never end.
    if (error || router.stopping()) return;
    if (access_log != nullptr && access_log->is_file()) access_log->reopen();
    follow_hangups();
  });
}

void Server::State::refuse_connection(int descriptor) {
  refused.fetch_add(1, std::memory_order_relaxed);
  if (tls != nullptr) {
    ::close(descriptor);  // no answer is possible before a handshake
  } else {
    refuse_connection_at(descriptor);
  }
}

// Closes the connection that has been idle for longest and serves the new connection in its place.
// Searches `groups_left`, the last one first.
void Server::State::replace_idle(const Arrival& arrival,
                                 std::vector<http::SessionGroup*> groups_left) {
  if (groups_left.empty()) {
    refuse_connection(arrival.descriptor);
    return;
  }
  http::SessionGroup* const group = groups_left.back();
  groups_left.pop_back();
  group->close_longest_idle([=, this](bool closed) {
    if (closed) {
      replaced.fetch_add(1, std::memory_order_relaxed);
      welcome(arrival);
    } else {
      replace_idle(arrival, groups_left);
    }
  });
}

std::vector<http::SessionGroup*> Server::State::groups_by_idleness() {
  std::vector<http::SessionGroup*> sorted;
  if (acceptor.size() != 0) sorted.push_back(&acceptor);
  for (const std::unique_ptr<http::SessionGroup>& group : groups) {
    if (group->size() != 0) sorted.push_back(group.get());
  }
  std::ranges::sort(sorted, std::greater(), &http::SessionGroup::longest_idle_since);
  return sorted;
}

void Server::State::take(const Arrival& arrival) {
  accepted.fetch_add(1, std::memory_order_relaxed);
  std::size_t total = acceptor.size();
  for (const std::unique_ptr<http::SessionGroup>& group : groups) total += group->size();
  if (total >= max_connections) {
    replace_idle(arrival, groups_by_idleness());
  } else {
    welcome(arrival);
  }
}

void Server::State::welcome(const Arrival& arrival) {
  std::unique_ptr<http::TlsConnection> connection;
  if (tls != nullptr) connection = std::make_unique<http::TlsConnection>(*tls);
  acceptor.open({arrival.descriptor, std::move(connection), {}, arrival.own_port});
}

// Ends threads if the server never ran; otherwise they have ended already.
Server::State::~State() {
  namespaces.set_removal_listener(nullptr);
  namespaces.set_wait_for_threads(nullptr);
  for (const std::unique_ptr<http::SessionGroup>& group : groups) group->context().stop();
  for (std::thread& thread : threads) {
    if (thread.joinable()) thread.join();
  }
}

// Hands a connection to the group with the fewest connections.
void Server::State::hand_over(http::Connection connection) {
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i]->size() < groups[chosen]->size()) chosen = i;
  }
  groups[has_thread(chosen) ? chosen : 0]->open(std::move(connection));
}

// Starts the group's thread if necessary. False if the system allows no further thread.
bool Server::State::has_thread(std::size_t group) {
  if (threads[group].joinable()) return true;
  try {
    threads[group] = std::thread([this, group] { groups[group]->run(); });
    return true;
  } catch (const std::system_error& error) {
    system::log_sparsely(system::LogSource::kThreads, system::LogLevel::kWarning,
                         system::messages::kNoIoThread(error.what()));
    return false;
  }
}

// Waits until each I/O thread, including the acceptor's, has finished its current work. False if
// one takes too long, or if none runs any more.
bool Server::State::wait_for_threads() {
  constexpr std::chrono::seconds kPatience{5};
  if (router.stopping()) return false;
  struct Turns {
    std::mutex mutex;  // guards the members below
    std::condition_variable changed;
    std::size_t left = 1;  // threads to wait for, first the acceptor's
  };
  const auto turns = std::make_shared<Turns>();
  const auto end_one = [turns] {
    const std::lock_guard lock(turns->mutex);
    --turns->left;
    turns->changed.notify_all();
  };
  // The acceptor's thread starts the others. A thread that starts later sees the new state anyway.
  asio::post(acceptor.context(), [this, turns, end_one] {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (!threads[i].joinable()) continue;
      {
        const std::lock_guard lock(turns->mutex);
        ++turns->left;
      }
      asio::post(groups[i]->context(), end_one);
    }
    end_one();
  });
  std::unique_lock lock(turns->mutex);
  return turns->changed.wait_for(lock, kPatience, [&] { return turns->left == 0; });
}

void Server::State::shut_down() {
  if (router.stopping()) return;
  system::log(system::LogLevel::kInfo, system::messages::kShuttingDown);
  system::notify_service_manager("STOPPING=1");
  // A second signal has its default effect.
  signals->clear();
  signals->cancel();
  hangups->cancel();  // SIGHUP is still ignored
  note_end_of_server();
  router.stop();
  for (const std::unique_ptr<http::Listener>& listener : listeners) listener->stop();
  ports.stop();
  acceptor.drain();
  for (const std::unique_ptr<http::SessionGroup>& group : groups) group->drain();
}

// Runs on a worker. Groups and their counters live as long as the server.
void Server::State::show_metrics(http::HttpResponse& response) const {
  response.content_type = admin::kMetricsContentType;
  response.body =
      admin::metrics_page(statistics(), request_totals(), tables.names(),
                          namespaces.main()->service().statistics(admin::kMostTablesOfAPage));
}

http::RequestTotals Server::State::request_totals() const {
  http::RequestTotals totals;
  acceptor.request_counts().add_to(totals);
  for (const auto& group : groups) group->request_counts().add_to(totals);
  return totals;
}

std::string Server::State::url_at(const std::string& address) const {
  if (address.empty()) return {};
  return (tls != nullptr ? "https://" : "http://") + address;
}

std::string Server::State::open_port(const api::NamespaceDescription& space, std::uint16_t wanted) {
  const std::string address = ports.open({space.name, space.number}, wanted);
  // If the namespace was removed in the meantime, nothing else would close its port.
  const auto current = namespaces.find(space.name);
  if (current == nullptr || current->about().number != space.number) {
    ports.close(space.number);
    throw api::ControlError(http::messages::kNamespaceGone(space.name), 404);
  }
  return url_at(address);
}

std::string Server::State::url_of(const api::NamespaceDescription& space) const {
  return url_at(ports.address_of(space.number));
}

admin::ServerStatistics Server::State::statistics() const {
  admin::ServerStatistics found{};
  found.started = started;
  found.connections_at_acceptor = acceptor.size();
  for (const auto& group : groups) found.connections_of_io_threads += group->size();
  found.connection_limit = max_connections;
  found.connections_accepted = accepted;
  found.connections_refused = refused;
  found.connections_replaced = replaced;
  found.connections_evicted = held_memory.evicted();
  found.io_threads = groups.size();
  found.waiting = {workers.waiting.task_count(), workers.waiting.thread_count()};
  found.computing = {workers.computing.task_count(), workers.computing.thread_count()};
  found.memory_limit = memory_limit;
  found.held_bytes = held_memory.bytes();
  found.held_limit = held_memory.limit();
  found.work_bytes = work_memory.bytes();
  found.work_limit = work_memory.limit();
  if (access_log != nullptr) found.access_log = access_log->counts();
  if (event_sources) found.event_sources = event_sources->statistics();
  return found;
}

Server::Server(const Config& config, const MemoryPlan& memory, api::Namespaces& namespaces,
               storage::MemoryBudget& room, http::AccessRules access,
               const http::SignatureVerifier* verifier, http::TlsCredentials* tls,
               std::optional<admin::ControlOptions> control)
    : state_(std::make_unique<State>(config, memory, namespaces, room, std::move(access), verifier,
                                     tls, std::move(control))) {}

Server::~Server() = default;

void Server::attach(feeds::EventSources& sources) {
  state_->event_sources = &sources;
  state_->memory_watch.tell_left([&](std::uint64_t left) { sources.limit_memory(left); });
}

void Server::start(http::ListenSocket& socket) {
  State& state = *state_;
  for (system::Descriptor& descriptor : socket.listen()) {
    state.listeners.push_back(std::make_unique<http::Listener>(
        state.acceptor.context(), [&state](int connection) { state.take({connection}); }));
    state.listeners.back()->start(std::move(descriptor));
  }
  if (!state.has_thread(0)) throw system::StartError(messages::kNoThread);
}

void Server::stop() {
  State& state = *state_;
  asio::post(state.acceptor.context(), [&state] { state.shut_down(); });
}

const admin::mcp::AgentServer& Server::agents() const { return state_->agents->server(); }

void Server::run(const std::stop_token& end) {
  const std::stop_callback on_end(end, [this] { stop(); });
  state_->acceptor.run();
  for (std::thread& thread : state_->threads) {
    if (thread.joinable()) thread.join();
  }
  state_->access_log.reset();  // writes the queued lines
}

}  // namespace magneto::server::main
