#include "server/http/listen_socket.h"

#include <gtest/gtest.h>
#include <netdb.h>
#include <sys/socket.h>

#include <string>
#include <utility>
#include <vector>

#include "server/system/start_error.h"
#include "tests/support/http_client.h"

namespace magneto::server::http {
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
  const std::vector<system::Descriptor> descriptors = socket.listen();
  EXPECT_EQ(descriptors.size(), 1U);
  EXPECT_TRUE(can_connect(port));
}

TEST(ListenSocket, GivesThePortBackWhenItIsNotUsed) {
  std::uint16_t port = 0;
  {
    const ListenSocket first("127.0.0.1", 0);
    port = first.port();
  }
  EXPECT_EQ(ListenSocket("127.0.0.1", port).port(), port);
}

bool has_ip_v6() {
  try {
    return ListenSocket("::1", 0).port() != 0;
  } catch (const system::StartError&) {
    return false;
  }
}

// The local end of a connection to it, as getnameinfo writes it.
bool takes(const system::Descriptor& listening, const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  EXPECT_EQ(getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found), 0);
  const system::Descriptor client(::socket(found->ai_family, SOCK_STREAM, 0));
  const bool connected = ::connect(client.get(), found->ai_addr, found->ai_addrlen) == 0;
  freeaddrinfo(found);
  return connected && system::Descriptor(::accept(listening.get(), nullptr, nullptr)).get() >= 0;
}

TEST(ListenSocket, LocalhostIsBothLoopbackAddresses) {
  ListenSocket socket("localhost", 0);
  const std::uint16_t port = socket.port();
  EXPECT_EQ(socket.address(), "localhost:" + std::to_string(port));
  EXPECT_TRUE(socket.is_on_loopback());
  const std::vector<system::Descriptor> descriptors = socket.listen();
  ASSERT_EQ(descriptors.size(), has_ip_v6() ? 2U : 1U);
  EXPECT_TRUE(takes(descriptors.front(), "127.0.0.1", port));
  if (has_ip_v6()) {
    EXPECT_TRUE(takes(descriptors.back(), "::1", port));
  }
}

TEST(ListenSocket, APortThatIsHalfBusyIsAnError) {
  if (!has_ip_v6()) return;
  ListenSocket other("::1", 0);
  const std::uint16_t port = other.port();
  const std::vector<system::Descriptor> descriptors = other.listen();
  try {
    const ListenSocket socket("localhost", port);
    FAIL() << "took " << socket.address();
  } catch (const system::StartError& error) {
    EXPECT_EQ(std::string(error.what())
                  .find("port " + std::to_string(port) + " on ::1 is already in use"),
              0U)
        << error.what();
  }
}

TEST(ListenSocket, TwoColonsAreEveryAddress) {
  ListenSocket socket("::", 0);
  const std::uint16_t port = socket.port();
  EXPECT_FALSE(socket.is_on_loopback());
  const std::vector<system::Descriptor> descriptors = socket.listen();
  EXPECT_TRUE(takes(descriptors.front(), "127.0.0.1", port));
  if (has_ip_v6()) {
    EXPECT_TRUE(takes(descriptors.front(), "::1", port));
  }
}

TEST(ListenSocket, SaysWhyItCannot) {
  ListenSocket first("127.0.0.1", 0);
  const std::vector<system::Descriptor> descriptors = first.listen();
  const auto message = [](const std::string& host, std::uint16_t port) -> std::string {
    try {
      const ListenSocket socket(host, port);
    } catch (const system::StartError& error) {
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
  EXPECT_TRUE(message("no host", 0).starts_with("cannot find the address of host 'no host' ("));
}

}  // namespace
}  // namespace magneto::server::http
