#include "server/main/refused_connection.h"

#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "server/http/answer_messages.h"
#include "server/system/log.h"
#include "server/system/log_messages.h"

namespace magneto::server::main {

void refuse_connection_at(int descriptor) {
  constexpr std::string_view kBody = http::messages::kTooManyConnections;
  static const std::string answer =
      "HTTP/1.1 503 Service Unavailable\r\n"
      "Connection: close\r\n"
      "Content-Type: text/plain\r\n"
      "Content-Length: " +
      std::to_string(kBody.size()) + "\r\n\r\n" + std::string(kBody);
  if (::send(descriptor, answer.data(), answer.size(), MSG_NOSIGNAL) < 0) {
    system::log(system::LogLevel::kDebug, system::messages::kRefusedClientGone);
  }
  ::shutdown(descriptor, SHUT_WR);
  ::close(descriptor);
}

}  // namespace magneto::server::main
