#include "server/http/session.h"

#include <sys/socket.h>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <chrono>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "server/http/session_group.h"
#include "server/http/tls/messages.h"
#include "server/system/log.h"
#include "server/system/worker_pool.h"

namespace magneto::server::http {
namespace {

namespace asio = boost::asio;
using Progress = RequestReader::Progress;

constexpr std::int64_t kDiscardMilliseconds = 2000;

// GET, HEAD, OPTIONS, and the empty lines that may come before them.
bool may_be_answered_at_acceptor(char first) {
  return std::string_view("GHO\r\n").find(first) != std::string_view::npos;
}

std::string plain_answer(std::string_view body) {
  return "HTTP/1.1 400 Bad Request\r\n"
         "Connection: close\r\n"
         "Content-Type: text/plain\r\n"
         "Content-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

}  // namespace

Session::Session(SessionGroup& group, system::Socket socket, Connection connection)
    : group_(group),
      stream_(std::move(socket), std::move(connection.tls)),
      buffer_(std::move(connection.read)),
      own_port_(std::move(connection.own_port)),
      deadline_(group.now() + group.options().idle_timeout.count()),
      idle_turn_(group.next_turn()),
      memory_(group.held_memory(), group, stream_.socket()) {
  buffer_.max_size(kMaxHeadBytes + 2 * kBodyReadBytes);
  if (stream_.is_tls()) memory_.note_beside(TlsConnection::kOpenBytes);
}

void Session::abort() {
  stream_.close();
  if (exchange_ != nullptr) exchange_->cancel_delay();
}

void Session::time_out() {
  if (is_idle() ? memory_.has_unsent() : waits_for_ == WaitsFor::kClientToTake) {
    reset_connection();
  } else {
    abort();
  }
}

void Session::reset_connection() {
  boost::system::error_code ignored;
  stream_.socket().set_option(asio::socket_base::linger(true, 0), ignored);
  abort();
  if (waits_for_ != WaitsFor::kClientToSend && waits_for_ != WaitsFor::kClientToTake) return;
  if (exchange_ != nullptr) exchange_->discard_bodies();
  memory_.release();
}

bool Session::end_wait(const boost::system::error_code& error, std::size_t bytes) {
  waits_for_ = WaitsFor::kServer;
  if (error || is_aborted()) return false;
  memory_.note_progress(bytes);
  return true;
}

system::Task Session::run() {
  // The client may not have taken all answers of the acceptor yet.
  if (!group_.is_acceptor()) memory_.hold_unsent_of_others();
  if (!stream_.is_ready()) co_await shake_hands();
  while (is_open()) {
    if (group_.is_acceptor() && !stream_.is_tls() && buffer_.size() == 0) {
      co_await wait_at_acceptor();
      if (!is_open()) co_return;
    }
    Progress progress;
    while ((progress = read()) == Progress::kNeedsMore) {
      if (!is_idle() && exchange_->reader().wants_continue()) co_await send_continue();
      deadline_ = read_deadline();
      begin_wait(WaitsFor::kClientToSend);
      const bool is_body = !is_idle() && exchange_->reader().body_started();
      const auto [error, size] = co_await stream_.async_read_some(
          buffer_.prepare(is_body ? kBodyReadBytes : kReadBytes), system::kAwaitResult);
      if (!end_wait(error, size)) co_return stream_.close();
      buffer_.commit(size);
      read_peak_ = std::max(read_peak_, buffer_.size());
      if (is_at_wrong_place()) co_return hand_over();
    }
    if (!exchange_->answer()) co_await exchange_->answer_later();
    if (exchange_->has_verdict()) [[unlikely]] {
      co_await exchange_->carry_out_verdict();
    }
    if (!is_broken() && !exchange_->write()) co_await exchange_->write_rest();
    end_exchange();
    if (progress == Progress::kRefused && !is_broken()) co_await discard_input();
    if (buffer_.size() != 0) co_await let_others_run();
  }
  if (!is_broken()) stream_.close();
}

// Lets other sessions run between requests that arrived in one packet.
system::Task Session::let_others_run() {
  deadline_ = read_deadline();
  co_await asio::post(asio::bind_executor(stream_.get_executor(), system::kAwait));
  if (is_aborted()) end_after_answer();
}

void Session::end_exchange() {
  const std::size_t written = exchange_->written();
  group_.return_exchange(std::move(exchange_));
  idle_turn_ = group_.next_turn();
  memory_.hold_unsent(written);
  if (buffer_.size() == 0 && buffer_.capacity() > kReadBytes) {
    buffer_.shrink_to_fit();
    read_peak_ = 0;
  }
}

// Runs at the acceptor. A worker makes the server's signature, which takes long, so that neither
// the acceptor nor I/O threads wait for new clients.
system::Task Session::shake_hands() {
  const std::int64_t deadline = group_.now() + group_.options().header_timeout.count();
  deadline_ = deadline;
  char first = 0;
  co_await wait_for_first_byte(first);
  if (!is_open()) co_return;
  if (first != TlsConnection::kHandshakeRecord) co_return co_await refuse_plain();

  auto step = TlsConnection::Step::kNeedsMore;
  while (step == TlsConnection::Step::kNeedsMore) {
    co_await receive_handshake();
    if (is_open()) co_await continue_handshake(step);
    if (!is_open()) co_return;
    deadline_ = deadline;
    const std::string_view unsent = stream_.tls()->unsent();
    const auto [error, size] = co_await asio::async_write(
        stream_.socket(), asio::const_buffer(unsent.data(), unsent.size()), system::kAwaitResult);
    stream_.tls()->note_sent(size);
    if (error || is_aborted()) co_return hang_up();
  }
  if (step == TlsConnection::Step::kFailed) {
    system::log_sparsely(system::LogSource::kConnections, system::LogLevel::kWarning,
                         messages::kFailedHandshake(stream_.tls()->problem()));
    co_await discard_input();
    co_return hang_up();
  }
  stream_.note_ready();
  memory_.release();
}

// Receives bytes until the handshake can continue.
system::Task Session::receive_handshake() {
  do {
    if (!memory_.hold_request(stream_.tls()->received_bytes())) co_return hang_up();
    waits_for_ = WaitsFor::kClientToSend;
    const asio::mutable_buffer into = buffer_.prepare(kReadBytes);
    const auto [error, size] =
        co_await stream_.socket().async_read_some(into, system::kAwaitResult);
    if (!end_wait(error, 0)) co_return hang_up();
    stream_.tls()->receive({static_cast<const char*>(into.data()), size});
  } while (!stream_.tls()->has_whole_record());
}

system::Task Session::continue_handshake(TlsConnection::Step& step) {
  memory_.keep_request();
  deadline_ = kNever;
  system::WorkerPool& workers = group_.handshake_workers();
  const system::WorkerPool::Visit visit(workers);
  if (!visit) co_return hang_up();
  waits_for_ = WaitsFor::kHandshakeWorker;
  const auto posted = std::chrono::steady_clock::now();
  co_await asio::post(asio::bind_executor(workers.executor(), system::kAwait));
  const bool in_vain = group_.router().stopping() ||
                       std::chrono::steady_clock::now() - posted >= group_.options().header_timeout;
  if (!in_vain) step = stream_.tls()->shake_hands();
  co_await asio::post(asio::bind_executor(stream_.get_executor(), system::kAwait));
  waits_for_ = WaitsFor::kServer;
  if (in_vain || is_aborted()) hang_up();
}

// Explains to a client that speaks plain HTTP why it is refused.
system::Task Session::refuse_plain() {
  system::log_sparsely(system::LogSource::kConnections, system::LogLevel::kWarning,
                       messages::kPlainToTls);
  static const std::string answer = plain_answer(messages::kSpeaksTls);
  co_await asio::async_write(stream_.socket(), asio::const_buffer(answer.data(), answer.size()),
                             system::kAwaitResult);
  co_await discard_input();
  hang_up();
}

// Reads the first byte, and leaves it in the socket.
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
    if (error) co_return hang_up();
  }
}

// A new connection begins at the acceptor. With the first request that may be an operation it moves
// to another group, which reads that request.
system::Task Session::wait_at_acceptor() {
  deadline_ = read_deadline();
  char first = 0;
  co_await wait_for_first_byte(first);
  if (!is_open() || may_be_answered_at_acceptor(first)) co_return;
  if (first == TlsConnection::kHandshakeRecord) {
    system::log_sparsely(system::LogSource::kConnections, system::LogLevel::kWarning,
                         messages::kTlsToPlain);
  }
  hand_over();
}

// Like wait_at_acceptor(), for TLS: there the first byte is known only after it was read.
bool Session::is_at_wrong_place() {
  return group_.is_acceptor() && stream_.is_tls() && buffer_.size() != 0 &&
         (is_idle() || !exchange_->reader().got_some()) &&
         !may_be_answered_at_acceptor(*static_cast<const char*>(buffer_.cdata().data()));
}

void Session::hand_over() {
  if (!is_idle()) group_.return_exchange(std::move(exchange_));
  auto [descriptor, tls] = stream_.release();
  hang_up();
  if (descriptor < 0) return;
  group_.hand_over({descriptor, std::move(tls), std::move(buffer_), own_port_});
}

Progress Session::read() {
  if (is_idle() || !exchange_->reader().got_some()) RequestReader::skip_empty_lines(buffer_);
  if (is_idle()) {
    // With TLS a request begins with the first byte of its record.
    if (buffer_.size() == 0 && !stream_.has_begun_record()) return Progress::kNeedsMore;
    exchange_ = group_.lend_exchange();
    exchange_->begin(*this);
  }
  return exchange_->read();
}

std::size_t Session::bytes_read() const {
  return std::min(buffer_.capacity(), read_peak_) + stream_.held_bytes();
}

std::int64_t Session::read_deadline() const {
  return is_idle() ? group_.now() + group_.options().idle_timeout.count()
                   : exchange_->read_deadline();
}

system::Task Session::send_continue() {
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  // On a failure the next read fails too.
  co_await asio::async_write(stream_, asio::const_buffer(kContinue.data(), kContinue.size()),
                             system::kAwaitResult);
}

// Reads the client's remaining bytes for a while. Otherwise closing could reset the connection
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
        buffer_.prepare(kReadBytes), system::kAwaitResult);
    failed = error;
  }
}

}  // namespace magneto::server::http
