#include "server/server.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
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
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "server/access_log.h"
#include "server/answer_messages.h"
#include "server/browser/browser.h"
#include "server/connection_memory_budget.h"
#include "server/control/control.h"
#include "server/control/control_error.h"
#include "server/event_sources/event_sources.h"
#include "server/listener.h"
#include "server/log.h"
#include "server/log_messages.h"
#include "server/memory_watch.h"
#include "server/metrics/metrics_page.h"
#include "server/metrics/storage_families.h"
#include "server/namespace_ports.h"
#include "server/request_router.h"
#include "server/service_notification.h"
#include "server/session_group.h"
#include "server/start_messages.h"
#include "server/work_memory.h"
#include "server/worker_pool.h"

namespace magneto::server {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kMaxWaitingWorkers = 64;
// More than can wait for their turn to change the state of namespaces, or to settle.
constexpr std::size_t kMaxControlWorkers = 512;
// Waiting or being worked at: half a second to three for a processor. Others are hung up on.
constexpr std::size_t kMaxHandshakes = 1'024;
// Of computing workers, so that I/O threads come first wherever they want to run.
constexpr int kNicenessOfLongWork = 5;
// For the store's files, standard streams and event loops.
constexpr std::size_t kReservedDescriptors = 512;

std::size_t processor_count() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<std::size_t>(std::max(CPU_COUNT(&set), 1));
}

std::size_t thread_count(const Config& config) {
  return config.threads != 0 ? config.threads : processor_count();
}

// How many connections may be open; raises the soft descriptor limit as far as that needs.
std::size_t connection_limit(const Config& config, const MemoryPlan& memory) {
  const std::size_t wanted =
      config.max_connections != 0 ? config.max_connections : memory.max_connections;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  std::size_t held_back = kReservedDescriptors;
  if (!config.event_sources_file.empty()) held_back += ConnectionPool::kMostDescriptors;
  const rlim_t needed = wanted + held_back;
  if (limit.rlim_cur < needed) {
    limit.rlim_cur = std::min<rlim_t>(needed, limit.rlim_max);
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) ::getrlimit(RLIMIT_NOFILE, &limit);
  }
  const std::size_t usable = limit.rlim_cur;
  return std::min(wanted, usable - std::min(held_back, usable / 2));
}

// Tells a client beyond the limit so and hangs up.
void refuse(int descriptor) {
  constexpr std::string_view kBody = messages::kTooManyConnections;
  static const std::string answer =
      "HTTP/1.1 503 Service Unavailable\r\n"
      "Connection: close\r\n"
      "Content-Type: text/plain\r\n"
      "Content-Length: " +
      std::to_string(kBody.size()) + "\r\n\r\n" + std::string(kBody);
  if (::send(descriptor, answer.data(), answer.size(), MSG_NOSIGNAL) < 0) {
    log(LogLevel::kDebug, messages::kRefusedClientGone);
  }
  ::shutdown(descriptor, SHUT_WR);
  ::close(descriptor);
}

}  // namespace

// A connection that was accepted, and the port it came by unless that is the main one.
struct Arrival {
  int descriptor;
  std::shared_ptr<const OwnPort> own_port = nullptr;
};

struct Server::State final : ControlledServer {
  using SignalSet = asio::basic_signal_set<Executor>;

  State(const Config& config, const MemoryPlan& memory, api::Namespaces& namespaces,
        api::DataRoom& room, AccessRules access, const SignatureVerifier* verifier,
        TlsCredentials* tls, std::optional<ControlOptions> control_options);
  ~State() override;

  void take(const Arrival& arrival);
  void welcome(const Arrival& arrival);
  void replace_idle(const Arrival& arrival, std::vector<SessionGroup*> groups_left);
  std::vector<SessionGroup*> groups_by_idleness();
  void refuse_connection(int descriptor);
  void hand_over(Connection connection);
  bool has_thread(std::size_t group);
  bool wait_for_threads();
  void shut_down();
  void follow_hangups();
  std::string make_metrics_page() const;

  ServerStatistics statistics() const override;
  RequestTotals request_totals() const override;
  bool is_stopping() const override { return router.stopping(); }
  std::string open_port(const api::NamespaceDescription& space, std::uint16_t wanted) override;
  std::string url_of(const api::NamespaceDescription& space) const override;
  std::string url_at(const std::string& address) const;

  const std::chrono::system_clock::time_point started = std::chrono::system_clock::now();
  api::Namespaces& namespaces;
  const std::uint64_t memory_limit;
  std::unique_ptr<AccessLog> access_log;  // nullptr: none is written
  TableLabels tables;
  TlsCredentials* const tls;
  WorkMemory work_memory;
  const std::optional<Control> control;
  const std::optional<Browser> browser;
  RequestRouter router;
  const std::size_t max_connections;
  Workers workers;
  ConnectionMemoryBudget held_memory;
  MemoryWatch memory_watch;
  // New connections, on the thread that calls run(), which also accepts them and gets the signals.
  SessionGroup acceptor;
  // threads[i] runs groups[i], the first from the start, the others from their first connection on.
  std::vector<std::unique_ptr<SessionGroup>> groups;
  std::vector<std::thread> threads;
  std::vector<std::unique_ptr<Listener>> listeners;
  NamespacePorts ports;
  std::optional<SignalSet> signals;
  const EventSources* event_sources = nullptr;
  std::optional<SignalSet> hangups;  // SIGHUP: an access log in a file is opened anew
  // Changed by the thread of the acceptor.
  std::atomic<std::uint64_t> accepted{0};
  std::atomic<std::uint64_t> refused{0};
  std::atomic<std::uint64_t> replaced{0};
};

Server::State::State(const Config& config, const MemoryPlan& memory,
                     api::Namespaces& used_namespaces, api::DataRoom& room, AccessRules access,
                     const SignatureVerifier* verifier, TlsCredentials* used_tls,
                     std::optional<ControlOptions> control_options)
    : namespaces(used_namespaces),
      memory_limit(memory.limit),
      access_log(config.access_log.empty() ? nullptr
                                           : std::make_unique<AccessLog>(config.access_log)),
      tls(used_tls),
      work_memory(memory.work),
      control(control_options ? std::optional<Control>(std::in_place, std::move(*control_options),
                                                       namespaces, *this)
                              : std::nullopt),
      browser(config.has_browser ? std::make_optional<Browser>(config.browser_folder)
                                 : std::nullopt),
      router(namespaces.main()->service(), work_memory, config.auth, std::move(access),
             config.profile, verifier,
             config.has_metrics_page ? [this] { return make_metrics_page(); }
                                     : RequestRouter::MakePage(),
             &namespaces, control ? &*control : nullptr, browser ? &*browser : nullptr),
      max_connections(connection_limit(config, memory)),
      workers{WorkerPool(kMaxWaitingWorkers),
              WorkerPool(processor_count(), config.max_long_requests, kNicenessOfLongWork),
              WorkerPool(kMaxControlWorkers),
              WorkerPool(processor_count(), kMaxHandshakes, kNicenessOfLongWork)},
      held_memory(memory.held),
      memory_watch(
          memory.limit, memory.held, held_memory, room,
          [this, is_in_memory = config.data_directory.empty()] {
            return is_in_memory || namespaces.count() != 0;
          },
          [this] { return namespaces.destroyed(); }),
      acceptor(router, workers, held_memory, config, tables, access_log.get(),
               [this](Connection connection) { hand_over(std::move(connection)); }),
      threads(thread_count(config)),
      ports(config.host, acceptor.context(),
            [this](int descriptor, std::shared_ptr<const OwnPort> port) {
              take({descriptor, std::move(port)});
            }) {
  namespaces.set_removal_listener(
      [this](const api::NamespaceDescription& removed) { ports.close(removed.number); });
  namespaces.set_wait_for_threads([this] { return wait_for_threads(); });
  for (std::size_t i = 0; i < threads.size(); ++i) {
    groups.push_back(std::make_unique<SessionGroup>(router, workers, held_memory, config, tables,
                                                    access_log.get()));
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
    // Its wait may have ended before shut_down() could cancel it: another would never end.
    if (error || router.stopping()) return;
    if (access_log != nullptr && access_log->is_file()) access_log->reopen();
    follow_hangups();
  });
}

void Server::State::refuse_connection(int descriptor) {
  refused.fetch_add(1, std::memory_order_relaxed);
  if (tls != nullptr) {
    ::close(descriptor);  // nothing can be said before a handshake
  } else {
    refuse(descriptor);
  }
}

// Lets a connection beyond the limit take the place of the one that has been idle for longest.
// `groups_left` are those to look in; the last one first.
void Server::State::replace_idle(const Arrival& arrival, std::vector<SessionGroup*> groups_left) {
  if (groups_left.empty()) {
    refuse_connection(arrival.descriptor);
    return;
  }
  SessionGroup* const group = groups_left.back();
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

std::vector<SessionGroup*> Server::State::groups_by_idleness() {
  std::vector<SessionGroup*> sorted;
  if (acceptor.size() != 0) sorted.push_back(&acceptor);
  for (const std::unique_ptr<SessionGroup>& group : groups) {
    if (group->size() != 0) sorted.push_back(group.get());
  }
  std::ranges::sort(sorted, std::greater(), &SessionGroup::longest_idle_since);
  return sorted;
}

void Server::State::take(const Arrival& arrival) {
  accepted.fetch_add(1, std::memory_order_relaxed);
  std::size_t total = acceptor.size();
  for (const std::unique_ptr<SessionGroup>& group : groups) total += group->size();
  if (total >= max_connections) {
    replace_idle(arrival, groups_by_idleness());
  } else {
    welcome(arrival);
  }
}

void Server::State::welcome(const Arrival& arrival) {
  std::unique_ptr<TlsConnection> connection;
  if (tls != nullptr) connection = std::make_unique<TlsConnection>(*tls);
  acceptor.open({arrival.descriptor, std::move(connection), {}, arrival.own_port});
}

// Of a server that never ran; else the threads have ended.
Server::State::~State() {
  namespaces.set_removal_listener(nullptr);
  namespaces.set_wait_for_threads(nullptr);
  for (const std::unique_ptr<SessionGroup>& group : groups) group->context().stop();
  for (std::thread& thread : threads) {
    if (thread.joinable()) thread.join();
  }
}

// Gives a connection to the group with the fewest.
void Server::State::hand_over(Connection connection) {
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i]->size() < groups[chosen]->size()) chosen = i;
  }
  groups[has_thread(chosen) ? chosen : 0]->open(std::move(connection));
}

// Starts the group's thread if need be. False when the system allows no further thread.
bool Server::State::has_thread(std::size_t group) {
  if (threads[group].joinable()) return true;
  try {
    threads[group] = std::thread([this, group] { groups[group]->run(); });
    return true;
  } catch (const std::system_error& error) {
    log_sparsely(LogSource::kThreads, LogLevel::kWarning, messages::no_io_thread(error.what()));
    return false;
  }
}

// Until each I/O thread, the acceptor's too, has ended what it does now. False: one takes long, or
// none runs any more.
bool Server::State::wait_for_threads() {
  constexpr std::chrono::seconds kPatience{5};
  if (router.stopping()) return false;
  struct Turns {
    std::mutex mutex;  // guards what follows
    std::condition_variable changed;
    std::size_t left = 1;  // the acceptor's
  };
  const auto turns = std::make_shared<Turns>();
  const auto end_one = [turns] {
    const std::lock_guard lock(turns->mutex);
    --turns->left;
    turns->changed.notify_all();
  };
  // Threads are begun by the acceptor's: one that begins later finds what is new.
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
  log(LogLevel::kInfo, messages::kShuttingDown);
  notify_service_manager("STOPPING=1");
  // A second signal has its default effect.
  signals->clear();
  hangups->cancel();  // the signal goes on doing nothing
  router.stop();
  for (const std::unique_ptr<Listener>& listener : listeners) listener->stop();
  ports.stop();
  acceptor.drain();
  for (const std::unique_ptr<SessionGroup>& group : groups) group->drain();
}

// On a worker. Groups and what they count live as long as the server.
std::string Server::State::make_metrics_page() const {
  return metrics_page(statistics(), request_totals(), tables.names(),
                      namespaces.main()->service().statistics(kMostTablesOfAPage));
}

RequestTotals Server::State::request_totals() const {
  RequestTotals totals;
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
  // Who was removed meanwhile would never close it.
  const auto current = namespaces.find(space.name);
  if (current == nullptr || current->about().number != space.number) {
    ports.close(space.number);
    throw ControlError(404, messages::namespace_gone(space.name));
  }
  return url_at(address);
}

std::string Server::State::url_of(const api::NamespaceDescription& space) const {
  return url_at(ports.address_of(space.number));
}

ServerStatistics Server::State::statistics() const {
  ServerStatistics found{};
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
               api::DataRoom& room, AccessRules access, const SignatureVerifier* verifier,
               TlsCredentials* tls, std::optional<ControlOptions> control)
    : state_(std::make_unique<State>(config, memory, namespaces, room, std::move(access), verifier,
                                     tls, std::move(control))) {}

Server::~Server() = default;

void Server::attach(EventSources& sources) {
  state_->event_sources = &sources;
  state_->memory_watch.tell_left([&](std::uint64_t left) { sources.limit_memory(left); });
}

void Server::start(ListenSocket socket) {
  State& state = *state_;
  for (Descriptor& descriptor : std::move(socket).listen()) {
    state.listeners.push_back(std::make_unique<Listener>(
        state.acceptor.context(), [&state](int connection) { state.take({connection}); }));
    state.listeners.back()->start(std::move(descriptor));
  }
  if (!state.has_thread(0)) throw StartError(messages::kNoThread);
}

void Server::run() {
  state_->acceptor.run();
  for (std::thread& thread : state_->threads) {
    if (thread.joinable()) thread.join();
  }
  state_->access_log.reset();  // what is queued is written
}

}  // namespace magneto::server
