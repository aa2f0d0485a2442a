#include "server/listen_socket.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "tests/support/http_client.h"

namespace magneto::server {
namespace {

bool can_connect(std::uint16_t port) {
  try {
    const HttpClient client(port);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

TEST(ListenSocket, ReservesAPortAndListensLater) {
  ListenSocket socket("127.0.0.1", 0);
  const std::uint16_t port = socket.port();
  EXPECT_NE(port, 0);
  EXPECT_EQ(socket.address(), "127.0.0.1:" + std::to_string(port));
  EXPECT_FALSE(can_connect(port));
  const int descriptor = std::move(socket).listen();
  EXPECT_TRUE(can_connect(port));
  ::close(descriptor);
}

TEST(ListenSocket, GivesThePortBackWhenItIsNotUsed) {
  std::uint16_t port = 0;
  {
    const ListenSocket first("127.0.0.1", 0);
    port = first.port();
  }
  EXPECT_EQ(ListenSocket("127.0.0.1", port).port(), port);
}

TEST(ListenSocket, TakesNames) {
  const ListenSocket socket("localhost", 0);
  EXPECT_EQ(socket.address(), "localhost:" + std::to_string(socket.port()));
}

TEST(ListenSocket, SaysWhyItCannot) {
  ListenSocket first("127.0.0.1", 0);
  const int descriptor = std::move(first).listen();
  const auto message = [](const std::string& host, std::uint16_t port) -> std::string {
    try {
      const ListenSocket socket(host, port);
    } catch (const StartError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(message("127.0.0.1", first.port()),
            "port " + std::to_string(first.port()) +
                " on 127.0.0.1 is already in use; stop the program that holds it or choose "
                "another port with --port");
  EXPECT_EQ(message("192.0.2.1", 0),
            "192.0.2.1 is not an address of this machine; choose one with --host");
  ::close(descriptor);
  EXPECT_TRUE(message("no host", 0).starts_with("cannot find the address of host 'no host' ("));
}

}  // namespace
}  // namespace magneto::server
