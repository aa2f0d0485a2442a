#include "bench/http_load.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace magneto::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

struct TlsDeleter {
  void operator()(SSL* tls) const { SSL_free(tls); }
};

SSL_CTX* tls_context() {
  static SSL_CTX* const context = SSL_CTX_new(TLS_client_method());
  return context;
}

class Socket {
 public:
  explicit Socket(const Target& target) : descriptor_(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (descriptor_ < 0) fail("socket");
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(target.port);
    if (inet_pton(AF_INET, target.host.c_str(), &address.sin_addr) != 1) fail("address");
    if (::connect(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      fail("connect to port " + std::to_string(target.port));
    }
    const int on = 1;
    ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (!target.tls) return;
    tls_.reset(SSL_new(tls_context()));
    SSL_set_fd(tls_.get(), descriptor_);
    if (SSL_connect(tls_.get()) != 1) throw std::runtime_error("TLS: the handshake failed");
    ::fcntl(descriptor_, F_SETFL, O_NONBLOCK);  // a record may be incomplete
  }
  ~Socket() { ::close(descriptor_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int descriptor() const { return descriptor_; }
  // True if bytes have arrived that epoll does not report.
  bool has_more() const { return tls_ && SSL_pending(tls_.get()) > 0; }

  // Like send() and recv(): return -1 with EAGAIN instead of waiting.
  ssize_t send(std::string_view bytes) const {
    if (!tls_) return ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    return tell(SSL_write(tls_.get(), bytes.data(), static_cast<int>(bytes.size())));
  }
  ssize_t receive(char* into, std::size_t size) const {
    if (!tls_) return ::recv(descriptor_, into, size, 0);
    return tell(SSL_read(tls_.get(), into, static_cast<int>(size)));
  }

 private:
  ssize_t tell(int result) const {
    if (result > 0) return result;
    const int error = SSL_get_error(tls_.get(), result);
    if (error == SSL_ERROR_ZERO_RETURN) return 0;
    const bool waits = error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
    errno = waits ? EAGAIN : EIO;
    return -1;
  }

  int descriptor_;
  std::unique_ptr<SSL, TlsDeleter> tls_;
};

void send_all(const Socket& socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = socket.send(bytes);
    if (sent < 0) {
      if (errno == EINTR || errno == EAGAIN) continue;
      fail("send");
    }
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

// Reads one answer; Content-Length determines its end.
class Answer {
 public:
  // True when the answer is complete.
  bool receive(const Socket& socket) {
    if (buffer_.size() < size_ + 65'536) buffer_.resize(size_ + 262'144);
    const ssize_t got = socket.receive(buffer_.data() + size_, buffer_.size() - size_);
    if (got == 0) throw std::runtime_error("the server closed the connection");
    if (got < 0) {
      if (errno == EINTR || errno == EAGAIN) return false;
      fail("receive");
    }
    size_ += static_cast<std::size_t>(got);
    if (whole_ == 0) read_head();
    if (whole_ != 0 && size_ >= whole_) return true;
    return socket.has_more() && receive(socket);
  }

  int status() const { return status_; }
  std::string_view body() const { return {buffer_.data() + head_, whole_ - head_}; }
  void reset() { size_ = head_ = whole_ = 0; }

 private:
  void read_head() {
    const std::string_view text(buffer_.data(), size_);
    const std::size_t end = text.find("\r\n\r\n");
    if (end == std::string_view::npos) return;
    head_ = end + 4;
    std::from_chars(text.data() + 9, text.data() + 12, status_);
    std::size_t length = 0;
    for (std::size_t line = text.find("\r\n"); line < end; line = text.find("\r\n", line + 2)) {
      const std::string_view header = text.substr(line + 2);
      constexpr std::string_view kName = "content-length:";
      const bool matches =
          header.size() > kName.size() &&
          std::equal(kName.begin(), kName.end(), header.begin(), [](char a, char b) {
            return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b + 32) : b);
          });
      if (!matches) continue;
      const char* digits = header.data() + kName.size();
      while (*digits == ' ') ++digits;
      std::from_chars(digits, text.data() + end, length);
    }
    whole_ = head_ + length;
  }

  std::string buffer_;
  std::size_t size_ = 0;
  std::size_t head_ = 0;
  std::size_t whole_ = 0;
  int status_ = 0;
};

struct Connection {
  explicit Connection(const Target& target) : socket(target) {}
  Socket socket;
  Answer answer;
  std::size_t next = 0;  // index of the current request
  SteadyClock::time_point started;
};

// The user and system CPU time of a process, over all threads, in microseconds.
double cpu_microseconds(int process) {
  if (process == 0) return 0;
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::size_t after_name = text.rfind(')');
  if (after_name == std::string::npos) throw std::runtime_error("the server process is gone");
  const char* field = text.c_str() + after_name + 2;
  for (int skipped = 0; skipped < 11; ++skipped) field = std::strchr(field, ' ') + 1;
  char* end = nullptr;
  const double user = std::strtod(field, &end);
  const double system = std::strtod(end, nullptr);
  return (user + system) * 1e6 / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

class Runner {
 public:
  Runner(const Target& target, const Workload& workload, int connections)
      : target_(target), workload_(workload), epoll_(::epoll_create1(0)) {
    if (epoll_ < 0) fail("epoll");
    const std::size_t step = workload.pair ? 2 : 1;
    for (int i = 0; i < connections; ++i) {
      auto connection = std::make_unique<Connection>(target);
      connection->next = static_cast<std::size_t>(i) * workload.requests.size() /
                         static_cast<std::size_t>(connections) / step * step;
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.ptr = connection.get();
      if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, connection->socket.descriptor(), &event) != 0) {
        fail("epoll");
      }
      connections_.push_back(std::move(connection));
    }
  }
  ~Runner() { ::close(epoll_); }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  Measurement run(double warm_up, double seconds) {
    for (auto& connection : connections_) start(*connection);
    loop(warm_up);
    const double cpu_before = cpu_microseconds(target_.process);
    counts_ = {};
    latencies_.clear();
    bytes_ = 0;
    const auto begin = SteadyClock::now();
    loop(seconds);
    counts_.seconds = std::chrono::duration<double>(SteadyClock::now() - begin).count();
    const double cpu = cpu_microseconds(target_.process) - cpu_before;
    return summarize(cpu);
  }

 private:
  void start(Connection& connection) {
    connection.started = SteadyClock::now();
    send_all(connection.socket, workload_.requests[connection.next]);
  }

  void loop(double seconds) {
    const auto end = SteadyClock::now() + std::chrono::duration<double>(seconds);
    epoll_event events[256];
    while (SteadyClock::now() < end) {
      const int ready = ::epoll_wait(epoll_, events, 256, 5'000);
      if (ready == 0) throw std::runtime_error("the server did not answer for 5 seconds");
      for (int i = 0; i < ready; ++i) {
        auto& connection = *static_cast<Connection*>(events[i].data.ptr);
        if (connection.answer.receive(connection.socket)) finish(connection);
      }
    }
  }

  void finish(Connection& connection) {
    if (connection.answer.status() != 200) {
      if (counts_.errors++ == 0) counts_.first_error = connection.answer.body();
    }
    bytes_ += connection.answer.body().size();
    connection.answer.reset();
    const bool half = workload_.pair && connection.next % 2 == 0;
    connection.next = (connection.next + 1) % workload_.requests.size();
    if (half) {
      send_all(connection.socket, workload_.requests[connection.next]);
      return;
    }
    latencies_.push_back(
        std::chrono::duration<float, std::micro>(SteadyClock::now() - connection.started).count());
    start(connection);
  }

  Measurement summarize(double cpu) {
    Measurement result = counts_;
    result.operations = latencies_.size();
    if (latencies_.empty()) throw std::runtime_error("no operation finished");
    const auto percentile = [this](double share) {
      const auto at = latencies_.begin() + static_cast<std::ptrdiff_t>(
                                               share * static_cast<double>(latencies_.size() - 1));
      std::nth_element(latencies_.begin(), at, latencies_.end());
      return static_cast<double>(*at);
    };
    result.p50_microseconds = percentile(0.5);
    result.p99_microseconds = percentile(0.99);
    result.server_cpu_microseconds = cpu / static_cast<double>(result.operations);
    result.response_bytes = static_cast<double>(bytes_) / static_cast<double>(result.operations);
    return result;
  }

  const Target& target_;
  const Workload& workload_;
  int epoll_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<float> latencies_;
  Measurement counts_;
  std::size_t bytes_ = 0;
};

}  // namespace

std::string http_request(const std::string& operation, const std::string& body) {
  return "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810." + operation +
         "\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Date: 20260101T000000Z\r\n"
         "Authorization: AWS4-HMAC-SHA256 "
         "Credential=bench/20260101/eu-west-2/dynamodb/aws4_request, "
         "SignedHeaders=host;x-amz-date;x-amz-target, Signature=" +
         std::string(64, '0') + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         body;
}

struct Client::State {
  Socket socket;
  Answer answer;
};

Client::Client(const Target& target) : state_(new State{Socket(target), {}}) {}

Client::~Client() = default;

std::string Client::call(const std::string& operation, const std::string& body) {
  const Socket& socket = state_->socket;
  Answer& answer = state_->answer;
  answer.reset();
  send_all(socket, http_request(operation, body));
  while (!answer.receive(socket)) {
  }
  if (answer.status() != 200) {
    throw std::runtime_error(operation + ": " + std::to_string(answer.status()) + " " +
                             std::string(answer.body()));
  }
  return std::string(answer.body());
}

Measurement run(const Target& target, const Workload& workload, int connections, double warm_up,
                double seconds) {
  return Runner(target, workload, connections).run(warm_up, seconds);
}

}  // namespace magneto::bench
