#include "server/main/standby.h"

#include <unistd.h>

#include <boost/asio/basic_signal_set.hpp>
#include <boost/asio/post.hpp>
#include <csignal>
#include <future>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "server/admin/waiting_pages.h"
#include "server/client/endpoint/endpoint_url.h"
#include "server/http/connection_memory_budget.h"
#include "server/http/listener.h"
#include "server/http/relay.h"
#include "server/http/request_router.h"
#include "server/http/session_group.h"
#include "server/http/table_labels.h"
#include "server/http/tls/tls_connection.h"
#include "server/http/work_memory.h"
#include "server/main/capacity.h"
#include "server/system/log.h"
#include "server/system/log_messages.h"
#include "storage/engine/processors.h"

namespace magneto::server::main {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kFewWorkers = 8;
constexpr std::size_t kMaxHandshakesOfStandby = 256;

}  // namespace

struct Standby::State {
  using SignalSet = asio::basic_signal_set<system::Executor>;
  using Target = std::optional<client::EndpointUrl>;

  State(Options given, http::ListenSocket& used_socket)
      : options(std::move(given)),
        socket(used_socket),
        pages(options.config.has_metrics_page),
        work_memory(options.memory.work),
        router(options.service, work_memory, std::move(options.access), pages),
        held_memory(options.memory.held),
        group(router, workers, held_memory, options.config.sessions, tables, nullptr),
        relay(group.context(), workers.waiting, [this](int descriptor) { answer(descriptor); }),
        max_connections(connection_limit(options.config, options.memory)),
        signals(group.context().get_executor(), SIGTERM, SIGINT) {}

  void start();
  void take(int descriptor);
  void answer(int descriptor);
  Target target_of(std::string_view address) const;
  void give_back(std::promise<void>& done);

  const Options options;
  http::ListenSocket& socket;
  admin::WaitingPages pages;
  http::WorkMemory work_memory;
  http::RequestRouter router;
  http::Workers workers{system::WorkerPool(kFewWorkers), system::WorkerPool(kFewWorkers),
                        system::WorkerPool(kFewWorkers),
                        system::WorkerPool(storage::processor_count(), kMaxHandshakesOfStandby)};
  http::ConnectionMemoryBudget held_memory;
  http::TableLabels tables;
  http::SessionGroup group;
  http::Relay relay;
  const std::size_t max_connections;
  // The members below belong to the thread.
  SignalSet signals;
  std::vector<std::unique_ptr<http::Listener>> listeners;
  Target target;  // nullopt: connections are not passed on
  bool has_ended = false;
  std::thread thread;
};

void Standby::State::start() {
  for (system::Descriptor& descriptor : socket.listen()) {
    listeners.push_back(std::make_unique<http::Listener>(
        group.context(), [this](int connection) { take(connection); }));
    listeners.back()->start(std::move(descriptor));
  }
  signals.async_wait([this](const boost::system::error_code& error, int) {
    if (error) return;
    system::log(system::LogLevel::kInfo, system::messages::kShuttingDown);
    options.on_signal();
  });
  thread = std::thread([this] { group.run(); });
}

// A connection that is passed on has two descriptors.
void Standby::State::take(int descriptor) {
  if (group.size() + 2 * relay.size() >= max_connections) {
    ::close(descriptor);
  } else if (target) {
    relay.open(descriptor, *target);
  } else {
    answer(descriptor);
  }
}

void Standby::State::answer(int descriptor) {
  std::unique_ptr<http::TlsConnection> tls;
  if (options.tls != nullptr) tls = std::make_unique<http::TlsConnection>(*options.tls);
  group.open({descriptor, std::move(tls)});
}

// A server that gives the address of this one, or none that can be reached, gets no connections.
Standby::State::Target Standby::State::target_of(std::string_view address) const {
  if (!options.config.relays || address == options.own_address) return std::nullopt;
  return client::parse_endpoint_url("http://" + std::string(address));
}

void Standby::State::give_back(std::promise<void>& done) {
  has_ended = true;
  signals.cancel();
  target.reset();
  relay.close_all();
  std::vector<system::Descriptor> descriptors;
  for (const std::unique_ptr<http::Listener>& listener : listeners) {
    descriptors.push_back(listener->release());
  }
  socket.put_back(std::move(descriptors));
  done.set_value();
}

Standby::Standby(Options options, http::ListenSocket& socket)
    : state_(std::make_unique<State>(std::move(options), socket)) {
  state_->start();
}

Standby::~Standby() {
  end();
  state_->thread.join();
}

bool Standby::set_active(std::string_view address) {
  state_->pages.set_active(address);
  const State::Target target = state_->target_of(address);
  asio::post(state_->group.context(), [this, target] {
    if (state_->has_ended) return;
    state_->relay.close_all();
    state_->target = target;
  });
  return target.has_value();
}

void Standby::end() {
  State& state = *state_;
  if (state.has_ended) return;
  std::promise<void> done;
  asio::post(state.group.context(), [&] { state.give_back(done); });
  done.get_future().wait();
  state.group.drain();
}

}  // namespace magneto::server::main
