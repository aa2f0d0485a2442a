#include "server/system/service_notification.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>

#include "server/system/descriptor.h"
#include "tests/support/engines.h"
#include "tests/support/http_client.h"
#include "tests/support/server_process.h"

namespace magneto::server::system {
namespace {

// A socket of the service manager: '@' begins the name of an abstract one.
class ManagerSocket {
 public:
  explicit ManagerSocket(const std::string& name)
      : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.data(), name.size());
    if (name.front() == '@') address.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), size), 0);
  }

  // Empty when nothing comes.
  std::string receive(int patience_ms = 120'000) {
    pollfd state{socket_.get(), POLLIN, 0};
    if (::poll(&state, 1, patience_ms) <= 0) return {};
    std::array<char, 256> bytes;
    const ssize_t size = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
    return size < 0 ? std::string() : std::string(bytes.data(), static_cast<std::size_t>(size));
  }

 private:
  Descriptor socket_;
};

class ServiceNotificationTest : public testing::Test {
 protected:
  ~ServiceNotificationTest() override { ::unsetenv("NOTIFY_SOCKET"); }
  storage::TempDirectory directory_;
};

TEST_F(ServiceNotificationTest, IsToldWhenTheServerIsReadyAndWhenItStops) {
  for (const std::string& name :
       {directory_.path() + "/notify", "@magneto-test-" + std::to_string(::getpid())}) {
    ManagerSocket manager(name);
    ASSERT_EQ(::setenv("NOTIFY_SOCKET", name.c_str(), 1), 0);
    ServerProcess server;
    EXPECT_EQ(manager.receive(), "READY=1") << name;
    HttpClient client(server.port());
    EXPECT_EQ(client.exchange("GET /_/ready HTTP/1.1\r\nHost: localhost\r\n\r\n").body, "ready\n");
    server.signal(SIGTERM);
    EXPECT_EQ(manager.receive(), "STOPPING=1") << name;
    EXPECT_EQ(server.wait_for_exit(), 0);
  }
}

TEST_F(ServiceNotificationTest, IsNotNeeded) {
  for (const std::string& name :
       {std::string(), std::string("@"), directory_.path() + "/nobody", std::string(5'000, 'x')}) {
    ASSERT_EQ(::setenv("NOTIFY_SOCKET", name.c_str(), 1), 0);
    ServerProcess server;
    EXPECT_NE(server.port(), 0) << name;
  }
}

}  // namespace
}  // namespace magneto::server::system
