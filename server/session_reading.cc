#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/write.hpp>
#include <boost/beast/core/string.hpp>
#include <cerrno>
#include <string_view>
#include <tuple>

#include "server/session.h"
#include "server/session_group.h"

namespace magneto::server {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;

constexpr std::int64_t kDiscardMilliseconds = 2000;

}  // namespace

// A connection comes to the acceptor when it is new, and goes to another group with the first
// request that may be an operation. The byte is left for that group to read.
Task Session::wait_at_acceptor() {
  deadline_ = read_deadline();
  char first = 0;
  for (;;) {
    const ssize_t size = ::recv(socket_.native_handle(), &first, 1, MSG_PEEK | MSG_DONTWAIT);
    if (size == 1) break;
    boost::system::error_code error;
    if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
      error = asio::error::eof;
    } else {
      std::tie(error) = co_await socket_.async_wait(Socket::wait_read, kAwaitResult);
    }
    if (error) {
      hang_up();
      co_return;
    }
  }
  // GET, HEAD, OPTIONS, and the empty lines that may stand before them.
  if (std::string_view("GHO\r\n").find(first) != std::string_view::npos) co_return;
  boost::system::error_code error;
  const int descriptor = socket_.release(error);
  hang_up();
  if (!error) group_.hand_over(descriptor);
}

Session::Parsed Session::parse() {
  while (buffer_.size() > 0) {
    if (exchange_ == nullptr) {
      // RFC 9112, 2.2: empty lines before a request are ignored.
      const char first = *static_cast<const char*>(buffer_.cdata().data());
      if (first == '\r' || first == '\n') {
        buffer_.consume(1);
        continue;
      }
      begin_exchange();
    }
    const std::size_t size = reader_->put(buffer_.cdata(), parse_error_);
    buffer_.consume(size);
    if (parse_error_ == http::error::need_more) break;
    if (parse_error_) return Parsed::kFailed;
    if (reader_->is_done()) {
      memory_.keep_request();
      return Parsed::kComplete;
    }
    if (size == 0) break;
  }
  if (buffer_.size() > kMaxHeadBytes) {
    // The head, a chunk's head or the trailer does not end.
    parse_error_ = http::error::header_limit;
    return Parsed::kFailed;
  }
  if (is_idle() || memory_.hold_request(bytes_of_request())) return Parsed::kNeedMore;
  overloaded_ = true;
  return Parsed::kFailed;
}

// What a request that is not whole yet occupies. Memory that was reserved but never written to is
// not.
std::size_t Session::bytes_of_request() const {
  return exchange_->request.bytes() + std::min(buffer_.capacity(), read_peak_);
}

std::int64_t Session::read_deadline() const {
  const Config& config = group_.config();
  if (is_idle()) return group_.now() + config.idle_timeout.count();
  return begun_ +
         (reader_->is_header_done() ? config.request_timeout : config.header_timeout).count();
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
  return boost::beast::iequals(exchange_->request.get(Field::kExpect), "100-continue");
}

Task Session::send_continue() {
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  // A failure shows again in the read that follows.
  co_await asio::async_write(socket_, asio::const_buffer(kContinue.data(), kContinue.size()),
                             kAwaitResult);
}

// Reads what the client still sends for a while, so that closing does not reset the connection
// before the client has read the refusal.
Task Session::discard_input() {
  boost::system::error_code failed;
  socket_.shutdown(Socket::shutdown_send, failed);
  deadline_ = group_.now() + kDiscardMilliseconds;
  while (!failed) {
    buffer_.clear();
    const auto [error, size] =
        co_await socket_.async_read_some(buffer_.prepare(kBodyReadBytes), kAwaitResult);
    failed = error;
  }
}

}  // namespace magneto::server
