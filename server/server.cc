#include "server/server.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/basic_signal_set.hpp>
#include <csignal>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "server/held_memory.h"
#include "server/listener.h"
#include "server/log.h"
#include "server/request_router.h"
#include "server/session_group.h"
#include "server/worker_pool.h"

namespace magneto::server {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kMaxWorkers = 64;
constexpr std::size_t kMaxConnections = 10'000;
// For the store's files, standard streams and event loops.
constexpr std::size_t kReservedDescriptors = 512;

std::size_t thread_count(const Config& config) {
  if (config.threads != 0) return config.threads;
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<std::size_t>(std::max(CPU_COUNT(&set), 1));
}

// How many connections may be open; raises the soft descriptor limit as far as that needs.
std::size_t connection_limit(const Config& config) {
  const std::size_t wanted = config.max_connections != 0 ? config.max_connections : kMaxConnections;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  const rlim_t needed = wanted + kReservedDescriptors;
  if (limit.rlim_cur < needed) {
    limit.rlim_cur = std::min<rlim_t>(needed, limit.rlim_max);
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) ::getrlimit(RLIMIT_NOFILE, &limit);
  }
  const std::size_t usable = limit.rlim_cur;
  const std::size_t reserved = std::min(kReservedDescriptors, usable / 2);
  return std::min(wanted, usable - reserved);
}

// Tells a client beyond the limit so and hangs up.
void turn_away(int descriptor) {
  static constexpr std::string_view kAnswer =
      "HTTP/1.1 503 Service Unavailable\r\n"
      "Connection: close\r\n"
      "Content-Type: text/plain\r\n"
      "Content-Length: 21\r\n"
      "\r\n"
      "Too many connections\n";
  if (::send(descriptor, kAnswer.data(), kAnswer.size(), MSG_NOSIGNAL) < 0) {
    log(LogLevel::kDebug, "a client beyond the connection limit was gone already");
  }
  ::shutdown(descriptor, SHUT_WR);
  ::close(descriptor);
}

}  // namespace

struct Server::State {
  using SignalSet = asio::basic_signal_set<Executor>;

  State(const Config& config, api::Service& service);

  void take(int descriptor);
  bool has_thread(std::size_t group);
  void shut_down();

  const RequestRouter router;
  const std::size_t max_connections;
  WorkerPool workers;
  HeldMemory held_memory;
  // The first group runs on the thread that calls run(); threads[i] runs groups[i + 1], from its
  // first connection on.
  std::vector<std::unique_ptr<SessionGroup>> groups;
  std::vector<std::thread> threads;
  std::optional<Listener> listener;
  std::optional<SignalSet> signals;
};

Server::State::State(const Config& config, api::Service& service)
    : router(service, config.auth, config.sync_writes),
      max_connections(connection_limit(config)),
      workers(kMaxWorkers),
      held_memory(std::size_t{config.held_memory_megabytes} << 20),
      threads(thread_count(config) - 1) {
  for (std::size_t i = 0; i <= threads.size(); ++i) {
    groups.push_back(std::make_unique<SessionGroup>(router, workers, held_memory, config));
  }
  asio::io_context& context = groups.front()->context();
  listener.emplace(context, [this](int descriptor) { take(descriptor); });
  signals.emplace(context.get_executor(), SIGTERM, SIGINT);
  signals->async_wait([this](const boost::system::error_code& error, int) {
    if (!error) shut_down();
  });
}

// Gives a new connection to the group with the fewest.
void Server::State::take(int descriptor) {
  std::size_t total = 0;
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    total += groups[i]->size();
    if (groups[i]->size() < groups[chosen]->size()) chosen = i;
  }
  if (total >= max_connections) {
    turn_away(descriptor);
    return;
  }
  groups[has_thread(chosen) ? chosen : 0]->open(descriptor);
}

// Starts the group's thread if need be. False when the system allows no further thread.
bool Server::State::has_thread(std::size_t group) {
  if (group == 0 || threads[group - 1].joinable()) return true;
  try {
    threads[group - 1] = std::thread([this, group] { groups[group]->run(); });
    return true;
  } catch (const std::system_error& error) {
    log(LogLevel::kWarning, std::string("no further I/O thread: ") + error.what());
    return false;
  }
}

void Server::State::shut_down() {
  log(LogLevel::kInfo, "stopping: open requests may finish");
  // A second signal has its default effect.
  signals->clear();
  listener->stop();
  for (const std::unique_ptr<SessionGroup>& group : groups) group->drain();
}

Server::Server(const Config& config, api::Service& service)
    : state_(std::make_unique<State>(config, service)) {}

Server::~Server() = default;

void Server::start(ListenSocket socket) { state_->listener->start(std::move(socket)); }

void Server::run() {
  state_->groups.front()->run();
  for (std::thread& thread : state_->threads) {
    if (thread.joinable()) thread.join();
  }
}

}  // namespace magneto::server
