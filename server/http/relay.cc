#include "server/http/relay.h"

#include <absl/cleanup/cleanup.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <utility>

#include "server/client/endpoint/endpoint.h"
#include "server/client/endpoint/outgoing_socket.h"
#include "server/system/descriptor.h"

namespace magneto::server::http {
namespace {

namespace asio = boost::asio;

// After the server has ended a connection, the client has this long to end it too.
constexpr std::chrono::seconds kLingerTime{2};
// A peer whose machine is gone is noticed after this time. A client may be slower than a server.
constexpr int kServerPatienceMilliseconds = 10'000;
constexpr int kClientPatienceMilliseconds = 60'000;

void set_option(int descriptor, int level, int option, int value) {
  static_cast<void>(::setsockopt(descriptor, level, option, &value, sizeof value));
}

// Makes the system end a connection whose peer acknowledges nothing for so many milliseconds.
void notice_absence(int descriptor, int patience) {
  constexpr int kProbes = 3;
  set_option(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, patience / 2000);
  set_option(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, patience / 2000 / kProbes);
  set_option(descriptor, IPPROTO_TCP, TCP_KEEPCNT, kProbes);
  set_option(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, patience);
}

// An empty descriptor if the server cannot be reached.
system::Descriptor connect_to(const client::EndpointUrl& target) {
  const std::function<bool()> never = [] { return false; };
  try {
    client::OutgoingSocket socket(target, Relay::kConnectTime, never);
    return std::move(socket).release();
  } catch (const client::ConnectionError&) {
    return {};
  }
}

}  // namespace

struct Relay::Pair {
  explicit Pair(asio::io_context& context)
      : client(context.get_executor()),
        server(context.get_executor()),
        linger(context.get_executor()) {}

  void close() {
    boost::system::error_code ignored;
    client.close(ignored);
    server.close(ignored);
    linger.cancel();
  }

  system::Socket client;
  system::Socket server;
  system::Timer linger;
  int ended = 0;  // of the two directions
};

Relay::Relay(asio::io_context& context, system::WorkerPool& workers,
             std::function<void(int)> otherwise)
    : context_(context), workers_(workers), otherwise_(std::move(otherwise)) {}

Relay::~Relay() = default;

void Relay::open(int descriptor, client::EndpointUrl target) {
  asio::co_spawn(context_.get_executor(), run(descriptor, std::move(target)), asio::detached);
}

void Relay::close_all() {
  ++closings_;
  for (const std::shared_ptr<Pair>& pair : pairs_) pair->close();
}

system::Task Relay::run(int descriptor, client::EndpointUrl target) {
  system::Descriptor client(descriptor);
  system::Descriptor server;
  const std::size_t closings = closings_;
  ++size_;
  absl::Cleanup leave = [this] { --size_; };
  {
    const system::WorkerPool::Visit visit(workers_);
    if (visit) {
      co_await asio::post(asio::bind_executor(workers_.executor(), system::kAwait));
      server = connect_to(target);
      co_await asio::post(asio::bind_executor(context_.get_executor(), system::kAwait));
    }
  }
  if (closings != closings_) co_return;
  if (server.get() < 0) {
    otherwise_(client.release());
    co_return;
  }
  notice_absence(client.get(), kClientPatienceMilliseconds);
  notice_absence(server.get(), kServerPatienceMilliseconds);
  const auto pair = std::make_shared<Pair>(context_);
  pair->client.assign(asio::ip::tcp::v4(), client.release());
  pair->server.assign(asio::ip::tcp::v4(), server.release());
  pairs_.insert(pair);
  std::move(leave).Cancel();  // end_pump() counts it
  asio::co_spawn(context_.get_executor(), pump(pair, pair->client, pair->server), asio::detached);
  asio::co_spawn(context_.get_executor(), pump(pair, pair->server, pair->client), asio::detached);
}

// Passes bytes on in one direction, then the end of them.
system::Task Relay::pump(std::shared_ptr<Pair> pair, system::Socket& from, system::Socket& to) {
  const absl::Cleanup end = [&] { end_pump(pair); };
  std::array<char, kBufferBytes> buffer{};
  for (;;) {
    const auto [error, size] =
        co_await from.async_read_some(asio::buffer(buffer), system::kAwaitResult);
    if (error == asio::error::eof) break;
    if (error) co_return pair->close();
    const auto [failure, written] =
        co_await asio::async_write(to, asio::buffer(buffer.data(), size), system::kAwaitResult);
    if (failure) co_return pair->close();
  }
  boost::system::error_code ignored;
  to.shutdown(system::Socket::shutdown_send, ignored);
  if (&from != &pair->server) co_return;
  pair->linger.expires_after(kLingerTime);
  pair->linger.async_wait([pair](const boost::system::error_code& error) {
    if (!error) pair->close();
  });
}

void Relay::end_pump(const std::shared_ptr<Pair>& pair) {
  if (++pair->ended != 2) return;
  pair->close();
  pairs_.erase(pair);
  --size_;
}

}  // namespace magneto::server::http
