#include "server/session.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/string.hpp>
#include <cerrno>
#include <chrono>
#include <tuple>
#include <utility>

#include "server/listen_socket.h"
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
// A client that takes an answer as fast as it is written lets others be answered after so much.
constexpr std::size_t kWrittenAtOnce = 1 << 20;
constexpr std::size_t kMaxBufferBytes = kMaxHeadBytes + 2 * kBodyReadBytes;
// A connection may hold this much without being counted.
constexpr std::size_t kUncountedBytes = 16 * 1024;
// A client that moves less than this is not said to have moved.
constexpr std::size_t kProgressBytes = 32 * 1024;
// What the system may keep for a connection that stands still: both buffers, each twice its size.
constexpr std::size_t kSystemBytes = 2 * (kSendBufferBytes + kReceiveBufferBytes);
constexpr std::int64_t kDiscardMilliseconds = 2000;
constexpr std::chrono::seconds kWaitForRoom{10};

constexpr std::string_view kTooManyLargeRequests = "Too many large requests at a time\n";
constexpr std::string_view kTooManyLongRequests = "Too many long requests at a time\n";
constexpr std::string_view kStopping = "The server is stopping\n";
// A client that has ended its side may still read an answer, but one that has waited so long for a
// worker has most likely given up.
constexpr std::chrono::seconds kPatienceOfClients{1};

// Whether nobody is there to read the answer to a request that came so long ago.
bool has_left(int descriptor, std::chrono::steady_clock::duration waited) {
  char byte = 0;
  const ssize_t size = ::recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  if (size == 0) return waited >= kPatienceOfClients;
  return size < 0 && errno != EAGAIN && errno != EINTR;
}

std::array<asio::const_buffer, 2> rest_of(std::string_view head, std::string_view body,
                                          std::size_t written) {
  const std::size_t of_head = std::min(written, head.size());
  head.remove_prefix(of_head);
  body.remove_prefix(written - of_head);
  return {asio::const_buffer(head.data(), head.size()),
          asio::const_buffer(body.data(), body.size())};
}

// Bytes that the other side has not taken yet, with what the system needs to keep them; few are
// none.
std::size_t bytes_unsent(int descriptor) {
  int bytes = 0;
  if (::ioctl(descriptor, SIOCOUTQ, &bytes) != 0) return 0;
  const auto unsent = static_cast<std::size_t>(std::max(bytes, 0));
  return unsent > kUncountedBytes ? 2 * unsent : 0;
}

// SessionGroup::now(), to the millisecond.
std::int64_t exact_now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string_view sent_body(const Exchange& exchange) {
  return exchange.request.method == Method::kHead ? std::string_view() : exchange.response.body;
}

}  // namespace

Session::Session(SessionGroup& group, Socket socket)
    : group_(group),
      socket_(std::move(socket)),
      buffer_(kMaxBufferBytes),
      deadline_(group.now() + group.config().idle_timeout.count()),
      idle_turn_(group.next_turn()),
      part_(group, socket_.native_handle()) {}

Session::~Session() { release_held(); }

void Session::abort() {
  boost::system::error_code ignored;
  socket_.close(ignored);
}

void Session::time_out() {
  if (is_idle() ? unsent_ != 0 : answers_) {
    give_up();
  } else {
    abort();
  }
}

void Session::give_up() {
  given_up_ = true;
  boost::system::error_code ignored;
  socket_.set_option(asio::socket_base::linger(true, 0), ignored);
  abort();
  if (!at_client_) return;
  if (exchange_ != nullptr) {
    exchange_->request.body = std::string();
    exchange_->response.body = std::string();
  }
  release_held();
}

Task Session::run() {
  if (!group_.is_reception()) {
    // The reception may have answered what the client has not taken.
    unchecked_ = kUncountedBytes + 1;
    hold_unsent();
  }
  while (open_) {
    if (group_.is_reception() && buffer_.size() == 0) {
      co_await wait_at_reception();
      if (!open_) co_return;
    }
    Parsed parsed;
    while ((parsed = parse()) == Parsed::kNeedMore) {
      if (wants_continue()) co_await send_continue();
      deadline_ = read_deadline();
      at_client_ = true;
      const auto [error, size] =
          co_await socket_.async_read_some(buffer_.prepare(read_size()), kAwaitResult);
      at_client_ = false;
      if (error || given_up_) co_return;
      buffer_.commit(size);
      read_peak_ = std::max(read_peak_, buffer_.size());
      note_progress(size);
    }
    if (parsed == Parsed::kFailed) {
      refuse();
    } else {
      const Route route = group_.router().find_route(exchange_->request);
      if (must_wait_for_room(route)) co_await wait_for_room();
      if (!turned_away_ && !answer_here(route)) co_await answer_on_worker(route);
    }
    if (!broken_ && !write_now()) co_await write_rest();
    end_exchange();
    if (parsed == Parsed::kFailed && !broken_) co_await discard_input();
    if (buffer_.size() != 0) co_await let_others_run();
  }
}

// Between requests that came in one packet.
Task Session::let_others_run() {
  deadline_ = read_deadline();
  co_await asio::post(asio::bind_executor(socket_.get_executor(), kAwait));
  if (is_aborted()) open_ = false;
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
      if (part_.bytes() != 0) group_.held_memory().keep(part_);
      return Parsed::kComplete;
    }
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
  turned_away_ = false;
}

void Session::end_exchange() {
  if (exchange_->response.close) open_ = false;
  group_.return_exchange(std::move(exchange_));
  idle_turn_ = group_.next_turn();
  hold_unsent();
  if (buffer_.size() == 0 && buffer_.capacity() > kHeadReadBytes) {
    buffer_.shrink_to_fit();
    read_peak_ = 0;
  }
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

// A connection comes to the reception when it is new, and goes to another group with the first
// request that may be an operation. The byte is left for that group to read.
Task Session::wait_at_reception() {
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

// While answers that are not taken fill the memory, further ones had better not be made: they would
// push out clients that are about to take theirs.
Task Session::wait_for_room() {
  SessionGroup::Timer turn(socket_.get_executor());
  turn.expires_after(kWaitForRoom);
  deadline_ = kNever;
  group_.join_line(turn);
  const auto [cancelled] = co_await turn.async_wait(kAwaitResult);
  if (cancelled) co_return;
  group_.leave_line(turn);
  turned_away_ = true;
  turn_away(kTooManyLargeRequests);
}

bool Session::must_wait_for_room(const Route& route) const {
  return group_.held_memory().is_crowded() && RequestRouter::may_answer_much(route);
}

// False when a worker must do it, or the rest of it.
bool Session::answer_here(const Route& route) {
  answered_ = false;
  where_ = route.place;
  if (route.kind == Route::Kind::kOperation && group_.is_reception()) {
    where_ = Place::kComputingWorker;
  }
  if (where_ != Place::kIoThread) return false;
  api::Effort effort(group_.step_credit().limit(), &group_.router().stopping());
  const bool answered = answer(route, effort);
  group_.step_credit().note(effort.spent());
  if (!answered) return false;
  if (!RequestRouter::takes_long_to_finish(exchange_->request, exchange_->response)) {
    RequestRouter::finish(exchange_->request, exchange_->response);
    return true;
  }
  note_answer();
  // It may go as it is, too. While much is held, nothing that is made waits for a worker.
  if (group_.held_memory().is_crowded()) return true;
  answered_ = true;
  where_ = Place::kComputingWorker;
  return false;
}

// As answer_here(), on a worker of the kind `where_`.
bool Session::answer_there(const Route& route) {
  if (!answered_) {
    const std::atomic<bool>* const stopping = &group_.router().stopping();
    if (where_ == Place::kWaitingWorker) {
      api::Effort effort = api::Effort::of_waiting_worker(kStepsOfAShortCall, stopping);
      if (!answer(route, effort)) return false;
    } else {
      api::Effort effort(api::Effort::kUnlimited, stopping);
      if (!answer(route, effort)) return false;
    }
  }
  RequestRouter::finish(exchange_->request, exchange_->response);
  return true;
}

// False when it needs another kind of thread, which `where_` names then, or the server is to end.
bool Session::answer(const Route& route, api::Effort& effort) {
  const std::string_view id(request_id_.data(), request_id_.size());
  if (group_.router().answer(route, id, exchange_->request, exchange_->response, effort)) {
    return true;
  }
  where_ = effort.is_exhausted() ? Place::kComputingWorker : Place::kWaitingWorker;
  return false;
}

// A request that waits for a worker keeps its memory, which counts meanwhile.
Task Session::answer_on_worker(Route route) {
  using Clock = std::chrono::steady_clock;
  if (!answered_ && !hold(bytes_of_request())) co_return turn_away(kTooManyLargeRequests);
  if (part_.bytes() != 0) group_.held_memory().keep(part_);
  deadline_ = kNever;
  const int descriptor = socket_.native_handle();
  bool has_waited = false;
  for (bool done = false; !done;) {
    WorkerPool& workers = group_.workers(where_);
    std::optional<WorkerPool::Visit> visit(std::in_place, workers);
    if (!*visit) {
      // What was answered is only not compressed then.
      if (!answered_) turn_away(kTooManyLongRequests);
      break;
    }
    const Clock::time_point posted = Clock::now();
    co_await asio::post(asio::bind_executor(workers.executor(), kAwait));
    if (has_left(descriptor, Clock::now() - posted)) {
      hang_up();
      done = true;
    } else if (!answered_ && group_.router().stopping()) {
      turn_away(kStopping);
      exchange_->response.close = true;
      done = true;
    } else if (!answered_ && !has_waited && must_wait_for_room(route)) {
      // Others were answered while it was queued.
      has_waited = true;
      co_await asio::post(asio::bind_executor(socket_.get_executor(), kAwait));
      visit.reset();
      co_await wait_for_room();
      if (turned_away_) co_return;
    } else {
      done = answer_there(route);
      if (done) note_answer();
    }
  }
  co_await asio::post(asio::bind_executor(socket_.get_executor(), kAwait));
}

// Answers that the request may be sent again later. Nothing of it was done.
void Session::turn_away(std::string_view why) {
  HttpResponse& response = exchange_->response;
  response.clear();
  response.allowed_origin = group_.router().allowed_origin(exchange_->request);
  response.status = 503;
  response.retry = true;
  response.content_type = "text/plain";
  response.body = why;
}

void Session::refuse() {
  HttpResponse& response = exchange_->response;
  response.clear();
  response.close = true;
  if (overloaded_) {
    turn_away(kTooManyLargeRequests);
    response.close = true;
  } else {
    response.status = refusal_status(parse_error_);
    if (response.status == 413) return;
    response.content_type = "text/plain";
    response.body = "Malformed HTTP request: " + parse_error_.message() + "\n";
  }
}

// What a request that is not whole yet occupies. Memory that was reserved but never written to is
// not.
std::size_t Session::bytes_of_request() const {
  return exchange_->request.bytes() + std::min(buffer_.capacity(), read_peak_);
}

// Notes that this much memory will stay in use until the client moves. False when it must not.
bool Session::hold(std::size_t bytes) {
  bytes += unsent_;
  if (bytes <= std::max(part_.bytes(), kUncountedBytes)) return true;
  return group_.held_memory().ask(part_, bytes, exact_now());
}

// Notes a long answer that a worker has made, long before it can be written perhaps.
void Session::note_answer() {
  const std::size_t bytes = exchange_->request.bytes() + exchange_->response.body.capacity();
  if (bytes > std::max(part_.bytes(), kBodyReadBytes)) group_.held_memory().note(part_, bytes);
}

// Notes what an answer that the client does not take at once keeps in use.
void Session::hold_answer() {
  const std::size_t bytes = exchange_->request.bytes() + exchange_->response.body.capacity() +
                            buffer_.capacity() + kSystemBytes;
  group_.held_memory().demand(part_, bytes, exact_now());
  group_.drop_given_up();
}

// Notes what the system still keeps of answers that are written. The system would keep it as well
// for a client that asks for as much as its buffers take, and never reads.
void Session::hold_unsent() {
  unchecked_ += written_;
  if (unsent_ != 0 || unchecked_ > kUncountedBytes) {
    unchecked_ = 0;
    unsent_ = bytes_unsent(socket_.native_handle());
  }
  if (unsent_ == 0) {
    release_held();
  } else {
    group_.held_memory().demand(part_, unsent_, exact_now());
  }
}

void Session::check_unsent() {
  if (unsent_ == 0 || !is_idle()) return;
  const std::size_t unsent = bytes_unsent(socket_.native_handle());
  if (unsent != 0 && unsent + kProgressBytes > unsent_) return;
  hold_unsent();
}

void Session::release_held() {
  if (part_.bytes() != 0) group_.held_memory().release(part_);
}

void Session::note_progress(std::size_t bytes) {
  progress_ += bytes;
  if (progress_ < kProgressBytes) return;
  progress_ = 0;
  if (part_.bytes() != 0) group_.held_memory().moved(part_, exact_now());
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
    if (written_ >= kWrittenAtOnce) return false;
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
  hold_answer();
  deadline_ = group_.now() + group_.config().request_timeout.count();
  const std::size_t size = exchange_->head.size() + sent_body(*exchange_).size();
  answers_ = true;
  while (written_ < size) {
    at_client_ = true;
    const auto [error, written] = co_await socket_.async_write_some(
        rest_of(exchange_->head, sent_body(*exchange_), written_), kAwaitResult);
    at_client_ = false;
    if (error || given_up_) {
      hang_up();
      co_return;
    }
    written_ += written;
    note_progress(written);
  }
  answers_ = false;
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
