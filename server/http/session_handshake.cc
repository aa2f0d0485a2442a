#include <algorithm>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <string>
#include <string_view>

#include "server/http/session.h"
#include "server/http/session_group.h"
#include "server/http/tls/messages.h"
#include "server/system/log.h"
#include "server/system/worker_pool.h"

namespace magneto::server::http {
namespace {

namespace asio = boost::asio;

using Clock = std::chrono::steady_clock;

std::string plain_answer(std::string_view body) {
  return "HTTP/1.1 400 Bad Request\r\n"
         "Connection: close\r\n"
         "Content-Type: text/plain\r\n"
         "Content-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

}  // namespace

// At the acceptor. What takes long of it, the server's signature, is done by a worker, so that
// neither acceptor nor I/O threads wait for those who come.
system::Task Session::shake_hands() {
  const std::int64_t deadline = group_.now() + group_.options().header_timeout.count();
  deadline_ = deadline;
  char first = 0;
  co_await wait_for_first_byte(first);
  if (!open_) co_return;
  if (first != TlsConnection::kHandshakeRecord) co_return co_await refuse_plain();

  auto step = TlsConnection::Step::kNeedsMore;
  while (step == TlsConnection::Step::kNeedsMore) {
    co_await receive_handshake();
    if (open_) co_await continue_handshake(step);
    if (!open_) co_return;
    deadline_ = deadline;
    const std::string_view unsent = stream_.tls()->unsent();
    const auto [error, size] = co_await asio::async_write(
        stream_.socket(), asio::const_buffer(unsent.data(), unsent.size()), system::kAwaitResult);
    stream_.tls()->note_sent(size);
    if (error || was_reset_) co_return hang_up();
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

// Until there is something to go on with.
system::Task Session::receive_handshake() {
  do {
    if (!memory_.hold_request(stream_.tls()->received_bytes())) co_return hang_up();
    at_client_ = true;
    const asio::mutable_buffer into = buffer_.prepare(kHeadReadBytes);
    const auto [error, size] =
        co_await stream_.socket().async_read_some(into, system::kAwaitResult);
    at_client_ = false;
    if (error || was_reset_) co_return hang_up();
    stream_.tls()->receive({static_cast<const char*>(into.data()), size});
  } while (!stream_.tls()->has_whole_record());
}

system::Task Session::continue_handshake(TlsConnection::Step& step) {
  memory_.keep_request();
  deadline_ = kNever;
  system::WorkerPool& workers = group_.handshake_workers();
  const system::WorkerPool::Visit visit(workers);
  if (!visit) co_return hang_up();
  at_handshake_worker_ = true;
  const Clock::time_point posted = Clock::now();
  co_await asio::post(asio::bind_executor(workers.executor(), system::kAwait));
  const bool in_vain = was_aborted_.load(std::memory_order_relaxed) || group_.router().stopping() ||
                       Clock::now() - posted >= group_.options().header_timeout;
  if (!in_vain) step = stream_.tls()->shake_hands();
  co_await asio::post(asio::bind_executor(stream_.get_executor(), system::kAwait));
  at_handshake_worker_ = false;
  if (in_vain || is_aborted()) hang_up();
}

// Whoever speaks HTTP here is told why that does not do.
system::Task Session::refuse_plain() {
  system::log_sparsely(system::LogSource::kConnections, system::LogLevel::kWarning,
                       messages::kPlainToTls);
  static const std::string answer = plain_answer(messages::kSpeaksTls);
  co_await asio::async_write(stream_.socket(), asio::const_buffer(answer.data(), answer.size()),
                             system::kAwaitResult);
  co_await discard_input();
  hang_up();
}

}  // namespace magneto::server::http
