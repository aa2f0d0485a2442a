#include "server/http/relay.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "server/http/listen_socket.h"
#include "server/http/listener.h"
#include "tests/support/http_client.h"

namespace magneto::server::http {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

constexpr std::string_view kAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

// A relay at a port of its own, in front of a server that the tests play.
class RelayTest : public testing::Test {
 protected:
  template <typename Call>
  auto on_thread(const Call& call) {
    std::packaged_task<decltype(call())()> task(call);
    auto result = task.get_future();
    asio::post(context_, [&task] { task(); });
    return result.get();
  }

  RelayTest() {
    for (system::Descriptor& descriptor : front_.listen()) {
      listener_.start(std::move(descriptor));
    }
    thread_ = std::thread([this] { context_.run(); });
  }
  ~RelayTest() override {
    on_thread([this] {
      listener_.stop();
      relay_.close_all();
    });
    work_.reset();
    thread_.join();
  }

  client::EndpointUrl target() const {
    return client::parse_endpoint_url("http://127.0.0.1:" + std::to_string(target_port_)).value();
  }
  std::unique_ptr<HttpClient> connect() const {
    return std::make_unique<HttpClient>(front_.port(), false);
  }
  // The server's end of the next connection. It blocks.
  system::Descriptor accept() {
    for (;;) {
      system::Descriptor accepted(::accept4(accepting_[0].get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (accepted.get() >= 0) return accepted;
      std::this_thread::sleep_for(milliseconds(1));
    }
  }
  static std::string receive(const system::Descriptor& from, std::size_t size) {
    std::string text(size, '\0');
    const ssize_t received = ::recv(from.get(), text.data(), size, MSG_WAITALL);
    text.resize(received < 0 ? 0 : static_cast<std::size_t>(received));
    return text;
  }
  static void send(const system::Descriptor& to, std::string_view text) {
    EXPECT_EQ(::send(to.get(), text.data(), text.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(text.size()));
  }
  bool becomes_empty() {
    for (int i = 0; i < 10'000; ++i) {
      if (on_thread([this] { return relay_.size(); }) == 0) return true;
      std::this_thread::sleep_for(milliseconds(2));
    }
    return false;
  }

  asio::io_context context_;
  asio::executor_work_guard<system::Executor> work_{context_.get_executor()};
  system::WorkerPool workers_{4};
  ListenSocket front_{"127.0.0.1", 0};
  ListenSocket back_{"127.0.0.1", 0};
  std::vector<system::Descriptor> accepting_ = back_.listen();
  std::uint16_t target_port_ = back_.port();
  std::atomic<int> refused_{0};
  Relay relay_{context_, workers_, [this](int descriptor) {
                 ++refused_;
                 ::close(descriptor);
               }};
  Listener listener_{context_, [this](int descriptor) { relay_.open(descriptor, target()); }};
  std::thread thread_;
};

TEST_F(RelayTest, PassesBytesOnInBothDirections) {
  const auto client = connect();
  client->send("GET ");
  const system::Descriptor server = accept();
  EXPECT_EQ(receive(server, 4), "GET ");
  client->send("/");
  EXPECT_EQ(receive(server, 1), "/");
  send(server, kAnswer);
  EXPECT_EQ(client->receive().body, "ok");
  const std::string much(10'000'000, 'x');
  std::thread sender([&] { client->send(much); });
  EXPECT_EQ(receive(server, much.size()), much);
  sender.join();
}

TEST_F(RelayTest, PassesTheEndOfEitherDirectionOn) {
  const auto client = connect();
  client->send("x");
  client->shut_down_sending();
  system::Descriptor server = accept();
  EXPECT_EQ(receive(server, 2), "x");  // then the end
  send(server, kAnswer);
  EXPECT_EQ(client->receive().body, "ok");
  server = {};
  EXPECT_TRUE(client->hangs_up_within(milliseconds(60'000)));
  EXPECT_TRUE(becomes_empty());
}

// A client that keeps its end open holds nothing for long after the server has closed.
TEST_F(RelayTest, EndsSoonAfterTheServer) {
  const auto client = connect();
  client->send("x");
  accept();
  EXPECT_TRUE(client->hangs_up_within(milliseconds(60'000)));
  EXPECT_TRUE(becomes_empty());
}

TEST_F(RelayTest, ResetsOfTheClientEndTheServersConnection) {
  auto client = connect();
  client->send("x");
  const system::Descriptor server = accept();
  EXPECT_EQ(receive(server, 1), "x");
  client->reset();
  EXPECT_EQ(receive(server, 1), "");
  EXPECT_TRUE(becomes_empty());
}

TEST_F(RelayTest, CanCloseAllConnections) {
  std::vector<std::unique_ptr<HttpClient>> clients;
  std::vector<system::Descriptor> servers;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(connect());
    clients.back()->send("x");
    servers.push_back(accept());
    EXPECT_EQ(receive(servers.back(), 1), "x");
  }
  EXPECT_EQ(on_thread([this] { return relay_.size(); }), 20U);
  on_thread([this] { relay_.close_all(); });
  for (const auto& client : clients) EXPECT_TRUE(client->hangs_up_within(milliseconds(60'000)));
  for (const system::Descriptor& server : servers) EXPECT_EQ(receive(server, 1), "");
  EXPECT_TRUE(becomes_empty());
}

TEST_F(RelayTest, GivesAClientBackWhenTheServerCannotBeReached) {
  target_port_ = 1;
  const auto client = connect();
  EXPECT_TRUE(client->hangs_up_within(milliseconds(60'000)));
  EXPECT_EQ(refused_, 1);
  EXPECT_TRUE(becomes_empty());
}

}  // namespace
}  // namespace magneto::server::http
