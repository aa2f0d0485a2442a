#include "server/session.h"

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/string.hpp>
#include <utility>

#include "server/session_group.h"
#include "server/worker_pool.h"

namespace magneto::server {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;

constexpr asio::use_awaitable_t<Executor> kAwait;
constexpr asio::as_tuple_t<asio::use_awaitable_t<Executor>> kAwaitResult;

constexpr std::size_t kHeadReadBytes = 4096;
constexpr std::size_t kBodyReadBytes = 64 * 1024;
constexpr std::size_t kMaxBufferBytes = kMaxHeadBytes + 2 * kBodyReadBytes;
// A connection may hold this much without being counted.
constexpr std::size_t kUncountedBytes = 16 * 1024;
constexpr std::int64_t kDiscardMilliseconds = 2000;
// What a call may do on an I/O thread: about 5 ms of work.
constexpr std::uint64_t kIoThreadSteps = 1'000'000;

std::array<asio::const_buffer, 2> rest_of(std::string_view head, std::string_view body,
                                          std::size_t written) {
  const std::size_t of_head = std::min(written, head.size());
  head.remove_prefix(of_head);
  body.remove_prefix(written - of_head);
  return {asio::const_buffer(head.data(), head.size()),
          asio::const_buffer(body.data(), body.size())};
}

std::string_view sent_body(const Exchange& exchange) {
  return exchange.request.method == Method::kHead ? std::string_view() : exchange.response.body;
}

}  // namespace

Session::Session(SessionGroup& group, Socket socket)
    : group_(group),
      socket_(std::move(socket)),
      buffer_(kMaxBufferBytes),
      deadline_(group.now() + group.config().idle_timeout.count()) {}

Session::~Session() { release_held(); }

void Session::abort() {
  boost::system::error_code ignored;
  socket_.close(ignored);
}

Task Session::run() {
  while (open_) {
    Parsed parsed;
    while ((parsed = parse()) == Parsed::kNeedMore) {
      if (wants_continue()) co_await send_continue();
      deadline_ = read_deadline();
      const auto [error, size] =
          co_await socket_.async_read_some(buffer_.prepare(read_size()), kAwaitResult);
      if (error) co_return;
      buffer_.commit(size);
    }
    if (parsed == Parsed::kFailed) {
      refuse();
    } else {
      const Route route = group_.router().find_route(exchange_->request);
      if (route.may_wait || !answer(route, kIoThreadSteps)) co_await answer_on_worker(route);
    }
    if (!write_now()) co_await write_rest();
    end_exchange();
    if (parsed == Parsed::kFailed && !broken_) co_await discard_input();
  }
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
    if (reader_->is_done()) return Parsed::kComplete;
    if (size == 0) break;
  }
  if (buffer_.size() > kMaxHeadBytes) {
    // The head, a chunk's head or the trailer does not end.
    parse_error_ = http::error::header_limit;
    return Parsed::kFailed;
  }
  if (is_idle() || hold(bytes_of_request())) return Parsed::kNeedMore;
  overloaded_ = true;
  return Parsed::kFailed;
}

void Session::begin_exchange() {
  exchange_ = group_.lend_exchange();
  reader_.emplace(exchange_->request);
  request_id_ = group_.request_ids().next();
  begun_ = group_.now();
  written_ = 0;
  continued_ = false;
}

void Session::end_exchange() {
  if (exchange_->response.close) open_ = false;
  group_.return_exchange(std::move(exchange_));
  release_held();
  if (buffer_.size() == 0 && buffer_.capacity() > kHeadReadBytes) buffer_.shrink_to_fit();
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
  continued_ = true;
  return boost::beast::iequals(exchange_->request.get(Field::kExpect), "100-continue");
}

Task Session::send_continue() {
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  // A failure shows again in the read that follows.
  co_await asio::async_write(socket_, asio::const_buffer(kContinue.data(), kContinue.size()),
                             kAwaitResult);
}

// False when that takes more steps.
bool Session::answer(const Route& route, std::uint64_t limit) {
  storage::Effort effort(limit);
  return group_.router().answer(route, {request_id_.data(), request_id_.size()}, exchange_->request,
                                exchange_->response, effort);
}

Task Session::answer_on_worker(Route route) {
  deadline_ = kNever;
  WorkerPool& workers = group_.workers();
  {
    const WorkerPool::Visit visit(workers);
    co_await asio::post(asio::bind_executor(workers.executor(), kAwait));
    answer(route, storage::Effort::kUnlimited);
  }
  co_await asio::post(asio::bind_executor(socket_.get_executor(), kAwait));
}

void Session::refuse() {
  HttpResponse& response = exchange_->response;
  response.clear();
  response.close = true;
  if (overloaded_) {
    response.status = 503;
    response.content_type = "text/plain";
    response.body = "Too many large requests at a time\n";
  } else if (parse_error_ == http::error::body_limit) {
    response.status = 413;
  } else if (parse_error_ == http::error::header_limit) {
    response.status = 431;
  } else {
    response.status = 400;
    response.content_type = "text/plain";
    response.body = "Malformed HTTP request: " + parse_error_.message() + "\n";
  }
}

// What a request that is not whole yet occupies. Memory that was reserved but never written to is
// not.
std::size_t Session::bytes_of_request() const {
  const std::string& body = exchange_->request.body;
  const std::size_t of_body = body.size() <= kBodyReadBytes ? body.size() : body.capacity();
  return of_body + std::max(buffer_.size(), std::min(buffer_.capacity(), body.size()));
}

// Notes that this much memory will stay in use until the client moves. False when it must not.
bool Session::hold(std::size_t bytes) {
  if (bytes <= std::max(held_, kUncountedBytes)) return true;
  if (!group_.held_memory().add(bytes - held_)) return false;
  held_ = bytes;
  return true;
}

void Session::release_held() {
  if (held_ > 0) group_.held_memory().release(std::exchange(held_, 0));
}

bool Session::write_now() {
  HttpResponse& response = exchange_->response;
  if (group_.is_draining() || !exchange_->request.keep_alive) response.close = true;
  format_head(exchange_->request, response, {request_id_.data(), request_id_.size()},
              group_.date().now(), exchange_->head);
  const std::string_view body = sent_body(*exchange_);
  const std::size_t size = exchange_->head.size() + body.size();
  while (written_ < size) {
    boost::system::error_code error;
    written_ += socket_.write_some(rest_of(exchange_->head, body, written_), error);
    if (error == asio::error::would_block) return false;
    if (error) {
      hang_up();
      break;
    }
  }
  return true;
}

Task Session::write_rest() {
  if (!hold(exchange_->request.body.capacity() + exchange_->response.body.capacity())) {
    hang_up();
    co_return;
  }
  deadline_ = group_.now() + group_.config().request_timeout.count();
  const auto [error, size] = co_await asio::async_write(
      socket_, rest_of(exchange_->head, sent_body(*exchange_), written_), kAwaitResult);
  if (error) hang_up();
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
