#include "server/http/session.h"

#include <algorithm>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "server/http/session_group.h"

namespace magneto::server::http {
namespace {

namespace asio = boost::asio;

}  // namespace

Session::Session(SessionGroup& group, ClientStream stream, boost::beast::flat_buffer read,
                 std::shared_ptr<const system::OwnPort> own_port)
    : group_(group),
      stream_(std::move(stream)),
      buffer_(std::move(read)),
      own_port_(std::move(own_port)),
      deadline_(group.now() + group.options().idle_timeout.count()),
      idle_turn_(group.next_turn()),
      memory_(group.held_memory(), group, stream_.socket()) {
  buffer_.max_size(kMaxBufferBytes);
  if (stream_.is_tls()) memory_.note_beside(TlsConnection::kOpenBytes);
}

void Session::abort() {
  was_aborted_.store(true, std::memory_order_relaxed);
  stream_.close();
  if (delay_ != nullptr) delay_->cancel();
}

void Session::time_out() {
  if (is_idle() ? memory_.has_unsent() : answers_) {
    reset_connection();
  } else {
    abort();
  }
}

void Session::reset_connection() {
  was_reset_ = true;
  boost::system::error_code ignored;
  stream_.socket().set_option(asio::socket_base::linger(true, 0), ignored);
  abort();
  if (!at_client_) return;
  if (exchange_ != nullptr) {
    exchange_->request.body = std::string();
    exchange_->response.body = std::string();
  }
  memory_.release();
}

system::Task Session::run() {
  // The acceptor may have answered what the client has not taken.
  if (!group_.is_acceptor()) memory_.hold_unsent_of_others();
  if (!stream_.is_ready()) co_await shake_hands();
  while (open_) {
    if (group_.is_acceptor() && !stream_.is_tls() && buffer_.size() == 0) {
      co_await wait_at_acceptor();
      if (!open_) co_return;
    }
    Parsed parsed;
    while ((parsed = parse()) == Parsed::kNeedMore) {
      if (wants_continue()) co_await send_continue();
      deadline_ = read_deadline();
      at_client_ = true;
      const auto [error, size] =
          co_await stream_.async_read_some(buffer_.prepare(read_size()), system::kAwaitResult);
      at_client_ = false;
      if (error || was_reset_) co_return stream_.close();
      buffer_.commit(size);
      read_peak_ = std::max(read_peak_, buffer_.size());
      memory_.note_progress(size);
      if (is_at_wrong_place()) co_return hand_over();
    }
    whole_at_ = std::chrono::steady_clock::now();
    body_bytes_ = exchange_->request.body.size();
    Route route;
    if (parsed == Parsed::kFailed) {
      route.kind = Route::Kind::kMalformed;
      refuse();
    } else {
      route = group_.router().find_route(exchange_->request);
      if (must_wait_for_room(route)) co_await wait_for_room();
      if (!was_refused_ && !answer_here(route)) co_await answer_on_worker(route);
    }
    if (const auto* verdict = exchange_->response.report.verdict(); verdict != nullptr)
        [[unlikely]] {
      co_await carry_out(*verdict, route);
    }
    if (!broken_) {
      const bool written = write_now();
      note_finished(route);
      if (!written) co_await write_rest();
    }
    end_exchange();
    if (parsed == Parsed::kFailed && !broken_) co_await discard_input();
    if (buffer_.size() != 0) co_await let_others_run();
  }
  if (!broken_) stream_.close();
}

// Between requests that came in one packet.
system::Task Session::let_others_run() {
  deadline_ = read_deadline();
  co_await asio::post(asio::bind_executor(stream_.get_executor(), system::kAwait));
  if (is_aborted()) open_ = false;
}

void Session::begin_exchange() {
  exchange_ = group_.lend_exchange();
  exchange_->request.own_port = own_port_.get();
  reader_.emplace(exchange_->request, group_.options().auth == AuthMode::kVerify);
  request_id_ = group_.request_ids().next();
  exchange_->request.descriptor = stream_.socket().native_handle();
  begun_ = group_.now();
  written_ = 0;
  continued_ = false;
  was_refused_ = false;
}

void Session::end_exchange() {
  if (exchange_->response.close) open_ = false;
  group_.return_exchange(std::move(exchange_));
  idle_turn_ = group_.next_turn();
  memory_.hold_unsent(written_);
  if (buffer_.size() == 0 && buffer_.capacity() > kHeadReadBytes) {
    buffer_.shrink_to_fit();
    read_peak_ = 0;
  }
}

}  // namespace magneto::server::http
