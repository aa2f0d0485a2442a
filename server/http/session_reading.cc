#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <string_view>
#include <tuple>

#include "server/http/session.h"
#include "server/http/session_group.h"
#include "server/http/tls/messages.h"
#include "server/system/ignoring_case.h"
#include "server/system/log.h"

namespace magneto::server::http {
namespace {

namespace asio = boost::asio;
namespace beast_http = boost::beast::http;

constexpr std::int64_t kDiscardMilliseconds = 2000;

// GET, HEAD, OPTIONS, and the empty lines that may stand before them.
bool may_be_answered_at_acceptor(char first) {
  return std::string_view("GHO\r\n").find(first) != std::string_view::npos;
}

}  // namespace

// The byte is left where it is.
system::Task Session::wait_for_first_byte(char& first) {
  for (;;) {
    const int descriptor = stream_.socket().native_handle();
    const ssize_t size = ::recv(descriptor, &first, 1, MSG_PEEK | MSG_DONTWAIT);
    if (size == 1) co_return;
    boost::system::error_code error;
    if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
      error = asio::error::eof;
    } else {
      std::tie(error) =
          co_await stream_.socket().async_wait(system::Socket::wait_read, system::kAwaitResult);
    }
    if (error) {
      hang_up();
      co_return;
    }
  }
}

// A connection comes to the acceptor when it is new, and goes to another group with the first
// request that may be an operation, which that group reads.
system::Task Session::wait_at_acceptor() {
  deadline_ = read_deadline();
  char first = 0;
  co_await wait_for_first_byte(first);
  if (!open_ || may_be_answered_at_acceptor(first)) co_return;
  if (first == TlsConnection::kHandshakeRecord) {
    system::log_sparsely(system::LogSource::kConnections, system::LogLevel::kWarning,
                         messages::kTlsToPlain);
  }
  hand_over();
}

// The same by TLS, where the first byte is known only when it is read.
bool Session::is_at_wrong_place() {
  return group_.is_acceptor() && stream_.is_tls() && buffer_.size() != 0 &&
         (is_idle() || !reader_->got_some()) &&
         !may_be_answered_at_acceptor(*static_cast<const char*>(buffer_.cdata().data()));
}

void Session::hand_over() {
  if (!is_idle()) group_.return_exchange(std::move(exchange_));
  auto [descriptor, tls] = stream_.release();
  hang_up();
  if (descriptor < 0) return;
  group_.hand_over({descriptor, std::move(tls), std::move(buffer_), own_port_});
}

Session::Parsed Session::parse() {
  while (buffer_.size() > 0) {
    if (is_idle() || !reader_->got_some()) {
      // RFC 9112, 2.2: empty lines before a request are ignored.
      const char first = *static_cast<const char*>(buffer_.cdata().data());
      if (first == '\r' || first == '\n') {
        buffer_.consume(1);
        continue;
      }
      if (is_idle()) begin_exchange();
    }
    const std::size_t size = reader_->put(buffer_.cdata(), parse_error_);
    buffer_.consume(size);
    if (parse_error_ == beast_http::error::need_more) break;
    if (parse_error_) return Parsed::kFailed;
    if (reader_->is_done()) {
      memory_.keep_request();
      return Parsed::kComplete;
    }
    if (size == 0) break;
  }
  // By TLS a request begins with the first byte of its record.
  if (is_idle() && stream_.has_begun_record()) begin_exchange();
  if (buffer_.size() > kMaxHeadBytes) {
    // The head, a chunk's head or the trailer does not end.
    parse_error_ = beast_http::error::header_limit;
    return Parsed::kFailed;
  }
  if (is_idle() || memory_.hold_request(bytes_of_request())) return Parsed::kNeedMore;
  overloaded_ = true;
  return Parsed::kFailed;
}

// What a request that is not whole yet occupies. Memory that was reserved but never written to is
// not.
std::size_t Session::bytes_of_request() const {
  return exchange_->request.bytes() + std::min(buffer_.capacity(), read_peak_) +
         stream_.held_bytes();
}

std::int64_t Session::read_deadline() const {
  const SessionOptions& options = group_.options();
  if (is_idle()) return group_.now() + options.idle_timeout.count();
  return begun_ +
         (reader_->is_header_done() ? options.request_timeout : options.header_timeout).count();
}

std::size_t Session::read_size() const {
  return !is_idle() && reader_->body_started() ? kBodyReadBytes : kHeadReadBytes;
}

bool Session::wants_continue() {
  if (is_idle() || continued_ || !reader_->is_header_done() || reader_->body_started()) {
    return false;
  }
  if (!exchange_->request.http11) return false;
  continued_ = true;
  return system::equals_ignoring_case(exchange_->request.get(Field::kExpect), "100-continue");
}

system::Task Session::send_continue() {
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  // A failure shows again in the read that follows.
  co_await asio::async_write(stream_, asio::const_buffer(kContinue.data(), kContinue.size()),
                             system::kAwaitResult);
}

// Reads what the client still sends for a while, so that closing does not reset the connection
// before the client has read the refusal.
system::Task Session::discard_input() {
  boost::system::error_code failed;
  stream_.shut_down_sending();
  deadline_ = group_.now() + kDiscardMilliseconds;
  buffer_.clear();
  buffer_.shrink_to_fit();
  while (!failed) {
    buffer_.clear();
    const auto [error, size] = co_await stream_.socket().async_read_some(
        buffer_.prepare(kHeadReadBytes), system::kAwaitResult);
    failed = error;
  }
}

}  // namespace magneto::server::http
