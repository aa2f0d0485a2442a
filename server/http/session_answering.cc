#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <chrono>
#include <string_view>

#include "server/http/answer_messages.h"
#include "server/http/session.h"
#include "server/http/session_group.h"
#include "server/system/worker_pool.h"
#include "storage/model/effort.h"

namespace magneto::server::http {
namespace {

namespace asio = boost::asio;

// A client that takes an answer as fast as it is written lets others be answered after so much.
constexpr std::size_t kWrittenAtOnce = 1 << 20;
constexpr std::chrono::seconds kWaitForRoom{10};
// A client that has ended its side may still read an answer, but one that has waited so long for a
// worker has most likely stopped waiting.
constexpr std::chrono::seconds kPatienceOfClients{1};

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

// Whether nobody is there to read the answer to a request that came so long ago.
bool Session::has_left(int descriptor, bool is_tls, std::chrono::steady_clock::duration waited) {
  char byte = 0;
  ssize_t size = ::recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  if (size > 0 && is_tls) {
    // A client of TLS says that it leaves, which hides that it did.
    pollfd state{descriptor, POLLRDHUP, 0};
    if (::poll(&state, 1, 0) > 0) size = 0;
  }
  if (size == 0) return waited >= kPatienceOfClients;
  return size < 0 && errno != EAGAIN && errno != EINTR;
}

bool Session::must_wait_for_room(const Route& route) const {
  return group_.held_memory().is_crowded() && RequestRouter::may_answer_much(route);
}

// While answers that are not taken fill the memory, further ones had better not be made: they would
// push out clients that are about to take theirs.
system::Task Session::wait_for_room() {
  SessionGroup::Timer turn(stream_.get_executor());
  turn.expires_after(kWaitForRoom);
  deadline_ = kNever;
  group_.join_queue(turn);
  const auto [cancelled] = co_await turn.async_wait(system::kAwaitResult);
  if (cancelled) co_return;
  group_.leave_queue(turn);
  was_refused_ = true;
  refuse(messages::kTooManyLargeRequests);
}

// False when a worker must do it, or the rest of it.
bool Session::answer_here(const Route& route) {
  answered_ = false;
  where_ = route.place;
  if (route.kind == Route::Kind::kOperation && group_.is_acceptor()) {
    where_ = ThreadKind::kComputingWorker;
  }
  if (where_ != ThreadKind::kIoThread) return false;
  storage::Effort effort(group_.step_credit().limit(), &group_.router().stopping());
  const bool answered = answer(route, effort);
  group_.step_credit().note(effort.spent());
  if (!answered) return false;
  if (!RequestRouter::takes_long_to_finish(exchange_->request, exchange_->response)) {
    RequestRouter::finish(exchange_->request, exchange_->response);
    return true;
  }
  memory_.note_answer(bytes_of_answer() + stream_.held_bytes());
  // It may go as it is, too. While much is held, nothing that is made waits for a worker.
  if (group_.held_memory().is_crowded()) return true;
  answered_ = true;
  where_ = ThreadKind::kComputingWorker;
  return false;
}

// A request that waits for a worker keeps its memory, which counts meanwhile.
system::Task Session::answer_on_worker(Route route) {
  using Clock = std::chrono::steady_clock;
  if (!answered_ && !memory_.hold_request(bytes_of_request()))
    co_return refuse(messages::kTooManyLargeRequests);
  memory_.keep_request();
  deadline_ = kNever;
  const int descriptor = stream_.socket().native_handle();
  bool has_waited = false;
  for (bool done = false; !done;) {
    system::WorkerPool& workers = group_.workers(where_);
    std::optional<system::WorkerPool::Visit> visit(std::in_place, workers);
    if (!*visit) {
      // What was answered is only not compressed then.
      if (!answered_) refuse(messages::kTooManyLongRequests);
      break;
    }
    // As long as a worker has the request, the stream may be closed here.
    const std::size_t bytes_of_stream = stream_.held_bytes();
    const Clock::time_point posted = Clock::now();
    co_await asio::post(asio::bind_executor(workers.executor(), system::kAwait));
    if (has_left(descriptor, stream_.is_tls(), Clock::now() - posted)) {
      hang_up();
      done = true;
    } else if (!answered_ && group_.router().stopping()) {
      refuse(messages::kStopping);
      exchange_->response.close = true;
      done = true;
    } else if (!answered_ && !has_waited && must_wait_for_room(route)) {
      // Others were answered while it was queued.
      has_waited = true;
      co_await asio::post(asio::bind_executor(stream_.get_executor(), system::kAwait));
      visit.reset();
      co_await wait_for_room();
      if (was_refused_) co_return;
    } else {
      done = answer_there(route);
      if (done) memory_.note_answer(bytes_of_answer() + bytes_of_stream);
    }
  }
  co_await asio::post(asio::bind_executor(stream_.get_executor(), system::kAwait));
}

// As answer_here(), on a worker of the kind `where_`.
bool Session::answer_there(const Route& route) {
  if (!answered_) {
    const std::atomic<bool>* const stopping = &group_.router().stopping();
    if (where_ == ThreadKind::kWaitingWorker) {
      storage::Effort effort = storage::Effort::of_waiting_worker(kStepsOfAShortCall, stopping);
      if (!answer(route, effort)) return false;
    } else {
      storage::Effort effort(storage::Effort::kUnlimited, stopping);
      if (!answer(route, effort)) return false;
    }
  }
  RequestRouter::finish(exchange_->request, exchange_->response);
  return true;
}

// False when it needs another kind of thread, which `where_` names then, or the server is to end.
bool Session::answer(const Route& route, storage::Effort& effort) {
  const std::string_view id(request_id_.data(), request_id_.size());
  if (group_.router().answer(route, id, exchange_->request, exchange_->response, effort)) {
    return true;
  }
  where_ = effort.is_exhausted() ? ThreadKind::kComputingWorker : ThreadKind::kWaitingWorker;
  return false;
}

// Answers that the request may be sent again later. Nothing of it was done.
void Session::refuse(std::string_view why) {
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
    refuse(messages::kTooManyLargeRequests);
    response.close = true;
  } else {
    response.status = refusal_status(parse_error_);
    if (response.status == 413) return;
    response.content_type = "text/plain";
    response.body = messages::kMalformedRequest(parse_error_.message());
  }
}

void Session::note_finished(const Route& route) {
  group_.note_finished({.route = route,
                        .request = exchange_->request,
                        .response = exchange_->response,
                        .id = {request_id_.data(), request_id_.size()},
                        .bytes_in = body_bytes_,
                        .bytes_out = exchange_->head.size() + sent_body(*exchange_).size(),
                        .duration = std::chrono::steady_clock::now() - whole_at_,
                        .descriptor = stream_.socket().native_handle()});
}

// What an answer occupies with its request.
std::size_t Session::bytes_of_answer() const {
  return exchange_->request.bytes() + exchange_->response.body.capacity();
}

bool Session::write_now() {
  HttpResponse& response = exchange_->response;
  if (group_.is_draining() || !exchange_->request.keep_alive) response.close = true;
  format_head(exchange_->request, response, {request_id_.data(), request_id_.size()},
              group_.date().now(), exchange_->head);
  if (const api::FaultVerdict* verdict = response.report.verdict(); verdict != nullptr)
      [[unlikely]] {
    if (verdict->cut == api::FaultVerdict::Cut::kWithin) truncate_answer(verdict->kept);
  }
  const std::string_view body = sent_body(*exchange_);
  const std::size_t size = exchange_->head.size() + body.size();
  while (written_ < size) {
    boost::system::error_code error;
    if (written_ >= kWrittenAtOnce) return false;
    written_ += stream_.write_some(rest_of(exchange_->head, body, written_), error);
    if (error == asio::error::would_block) return false;
    if (error) {
      hang_up();
      break;
    }
  }
  return true;
}

system::Task Session::write_rest() {
  memory_.hold_answer(bytes_of_answer() + stream_.held_bytes() + buffer_.capacity());
  group_.reset_evicted();
  deadline_ = group_.now() + group_.options().request_timeout.count();
  const std::size_t size = exchange_->head.size() + sent_body(*exchange_).size();
  answers_ = true;
  while (written_ < size) {
    at_client_ = true;
    const auto [error, written] = co_await stream_.async_write_some(
        rest_of(exchange_->head, sent_body(*exchange_), written_), system::kAwaitResult);
    at_client_ = false;
    if (error || was_reset_) {
      hang_up();
      co_return;
    }
    written_ += written;
    memory_.note_progress(written);
  }
  answers_ = false;
}

}  // namespace magneto::server::http
