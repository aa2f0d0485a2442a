#include "server/admin/mcp/stdio_bridge.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <string_view>
#include <utility>

#include "api/json/json_reader.h"
#include "server/admin/mcp/agent_server.h"
#include "server/admin/mcp/messages.h"
#include "server/admin/mcp/protocol.h"

namespace magneto::server::admin::mcp {
namespace {

constexpr std::size_t kReadPiece = 64 << 10;
// Longer answers are no answers to initialize.
constexpr std::size_t kLongestAgreement = 16 << 10;

class Bridge {
 public:
  Bridge(const BridgeDescriptors& descriptors, const AnswerMessage& answer)
      : descriptors_(descriptors), answer_(answer) {}

  void run() {
    std::array<char, kReadPiece> piece{};
    while (wait()) {
      const ssize_t size = ::read(descriptors_.input, piece.data(), piece.size());
      if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (size <= 0) break;
      if (!take({piece.data(), static_cast<std::size_t>(size)})) return;
    }
    // The last message may lack its line feed.
    if (!is_closed_ && !line_.empty()) end_line();
  }

 private:
  // Waits for input. False if the session must end.
  bool wait() {
    std::array<pollfd, 2> waited{pollfd{descriptors_.input, POLLIN, 0},
                                 pollfd{descriptors_.stop, POLLIN, 0}};
    while (::poll(waited.data(), waited.size(), -1) < 0) {
      if (errno != EINTR) return false;
    }
    is_closed_ = is_closed_ || waited[1].revents != 0;
    return !is_closed_;
  }

  bool take(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      add(bytes.substr(0, end));
      if (end == std::string_view::npos) return true;
      if (!end_line()) return false;
      bytes.remove_prefix(end + 1);
    }
    return true;
  }

  void add(std::string_view bytes) {
    is_too_long_ = is_too_long_ || line_.size() + bytes.size() > AgentServer::kMaxMessageBytes;
    if (is_too_long_) {
      line_.clear();
    } else {
      line_.append(bytes);
    }
  }

  bool end_line() {
    std::string line = std::exchange(line_, {});
    if (std::exchange(is_too_long_, false)) {
      return write(error_message(
          {}, {ErrorCode::kInvalidRequest, messages::kLongMessage(AgentServer::kMaxMessageBytes)}));
    }
    if (line.find_first_not_of(" \t\r") == std::string::npos) return true;
    const std::string answer = answer_(line, version_);
    if (answer.empty()) return true;
    note_version(answer);
    return write(answer);
  }

  // The answer to initialize has the version of the session.
  void note_version(std::string answer) {
    if (answer.size() > kLongestAgreement) return;
    const auto value = document_.parse(answer);
    if (!value) return;
    const std::string_view version =
        value->object().find("result").object().find("protocolVersion").string();
    if (is_known_version(version)) version_ = version;
  }

  bool write(std::string answer) {
    answer += '\n';
    std::string_view rest = answer;
    while (!rest.empty()) {
      const ssize_t size = ::write(descriptors_.output, rest.data(), rest.size());
      if (size < 0 && errno == EINTR) continue;
      is_closed_ = size <= 0;
      if (is_closed_) return false;
      rest.remove_prefix(static_cast<std::size_t>(size));
    }
    return true;
  }

  const BridgeDescriptors descriptors_;
  const AnswerMessage& answer_;
  api::json::Document document_;
  std::string line_;
  std::string version_{kVersions[0]};
  bool is_too_long_ = false;  // the rest of the line is skipped
  bool is_closed_ = false;
};

}  // namespace

void bridge_stdio(const BridgeDescriptors& descriptors, const AnswerMessage& answer) {
  Bridge(descriptors, answer).run();
}

}  // namespace magneto::server::admin::mcp
