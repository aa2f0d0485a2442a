#include "server/http/exchange.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <cmath>

#include "server/http/answer_messages.h"
#include "server/http/session_group.h"
#include "server/system/worker_pool.h"

namespace magneto::server::http {
namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

// After this many bytes other sessions run, even if the client takes all bytes at once.
constexpr std::size_t kWrittenAtOnce = 1 << 20;
// A body of at most this many bytes is copied behind the head: the kernel takes one buffer for less
// than two.
constexpr std::size_t kJoinedBody = 1'024;
constexpr std::chrono::seconds kWaitForRoom{10};
// A client that has closed its side may still read an answer. But after such a wait for a worker it
// has most likely stopped waiting.
constexpr std::chrono::seconds kPatienceOfClients{1};
// The interval of the checks whether the client of a delayed answer is still there.
constexpr std::chrono::seconds kLookForClient{1};

// Whether the client no longer reads the answer to a request that has waited for `waited`.
bool has_left(int descriptor, bool is_tls, Clock::duration waited) {
  char byte = 0;
  ssize_t size = ::recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  if (size > 0 && is_tls) {
    // The close_notify of a TLS client is unread and hides the end of the connection.
    pollfd state{descriptor, POLLRDHUP, 0};
    if (::poll(&state, 1, 0) > 0) size = 0;
  }
  if (size == 0) return waited >= kPatienceOfClients;
  return size < 0 && errno != EAGAIN && errno != EINTR;
}

}  // namespace

void Exchange::begin(Session& session) {
  session_ = &session;
  request_.own_port = session.own_port();
  request_.descriptor = session.stream().socket().native_handle();
  reader_.emplace(request_, group_.options().auth == AuthMode::kVerify);
  route_ = {};
  id_ = group_.request_ids().next();
  begun_ = group_.now();
  written_ = 0;
  is_joined_ = false;
}

std::int64_t Exchange::read_deadline() const {
  const SessionOptions& options = group_.options();
  return begun_ +
         (reader_->is_header_done() ? options.request_timeout : options.header_timeout).count();
}

RequestReader::Progress Exchange::read() {
  using Progress = RequestReader::Progress;
  const Progress progress = reader_->take(session_->buffer());
  if (progress == Progress::kWhole) {
    session_->memory().keep_request();
    return progress;
  }
  if (progress == Progress::kRefused) {
    response_.clear();
    response_.status = refusal_status(reader_->error());
    if (response_.status != 413) {
      response_.content_type = "text/plain";
      response_.body = messages::kMalformedRequest(reader_->error().message());
    }
  } else if (hold_request()) {
    return progress;
  } else {
    refuse(messages::kTooManyLargeRequests);
  }
  response_.close = true;
  route_.kind = Route::Kind::kMalformed;
  return Progress::kRefused;
}

// Counts the memory of a request that is incomplete or waits for a worker. Returns false if there
// is no room.
bool Exchange::hold_request() {
  return session_->memory().hold_request(request_.bytes() + session_->bytes_read());
}

// ---- answering ---------------------------------------------------------------------------------

bool Exchange::answer() {
  whole_at_ = Clock::now();
  body_bytes_ = request_.body.size();
  if (route_.kind == Route::Kind::kMalformed) return true;
  route_ = group_.router().find_route(request_);
  if (!must_wait_for_room()) return answer_here();
  due_ = Due::kRoom;
  return false;
}

bool Exchange::must_wait_for_room() const {
  return group_.held_memory().is_crowded() && RequestRouter::may_answer_much(route_);
}

// While untaken answers fill the memory, a further answer would evict clients that are about to
// take theirs. Returns false if the request was refused.
boost::asio::awaitable<bool, system::Executor> Exchange::wait_for_room() {
  system::Timer turn(session_->stream().get_executor());
  turn.expires_after(kWaitForRoom);
  session_->set_deadline(Session::kNever);
  group_.join_queue(turn);
  const auto [cancelled] = co_await turn.async_wait(system::kAwaitResult);
  if (cancelled) co_return true;
  group_.leave_queue(turn);
  refuse(messages::kTooManyLargeRequests);
  co_return false;
}

// Returns false if a worker must do it, or the rest of it.
bool Exchange::answer_here() {
  due_ = Due::kAnswer;
  where_ = route_.place;
  if (route_.kind == Route::Kind::kOperation && group_.is_acceptor()) {
    where_ = ThreadKind::kComputingWorker;
  }
  if (where_ != ThreadKind::kIoThread) return false;
  storage::Effort effort(group_.step_credit().limit(), &group_.router().stopping());
  const bool answered = call_router(effort);
  group_.step_credit().note(effort.spent());
  if (!answered) return false;
  if (!RequestRouter::takes_long_to_finish(request_, response_)) {
    RequestRouter::finish(request_, response_);
    return true;
  }
  session_->memory().note_answer(bytes_of_answer() + session_->stream().held_bytes());
  // Compression is optional. While memory is crowded, a finished answer does not wait for a worker.
  if (group_.held_memory().is_crowded()) return true;
  due_ = Due::kCompression;
  where_ = ThreadKind::kComputingWorker;
  return false;
}

// A request that waits for a worker keeps its memory, which is counted meanwhile.
system::Task Exchange::answer_later() {
  if (due_ == Due::kRoom && (!co_await wait_for_room() || answer_here())) co_return;
  if (due_ == Due::kAnswer && !hold_request()) {
    co_return refuse(messages::kTooManyLargeRequests);
  }
  SessionMemory& memory = session_->memory();
  memory.keep_request();
  session_->set_deadline(Session::kNever);
  const system::Executor own_thread = session_->stream().get_executor();
  bool has_waited = false;
  for (bool done = false; !done;) {
    system::WorkerPool& workers = group_.workers(where_);
    std::optional<system::WorkerPool::Visit> visit(std::in_place, workers);
    if (!*visit) {
      // A finished answer is then sent uncompressed.
      if (due_ == Due::kAnswer) refuse(messages::kTooManyLongRequests);
      break;
    }
    // While a worker has the request, this thread may close the stream.
    const std::size_t bytes_of_stream = session_->stream().held_bytes();
    const Clock::time_point posted = Clock::now();
    co_await asio::post(asio::bind_executor(workers.executor(), system::kAwait));
    if (has_left(request_.descriptor, session_->stream().is_tls(), Clock::now() - posted)) {
      session_->hang_up();
      done = true;
    } else if (due_ == Due::kAnswer && group_.router().stopping()) {
      refuse(messages::kStopping);
      response_.close = true;
      done = true;
    } else if (due_ == Due::kAnswer && !has_waited && must_wait_for_room()) {
      // Other answers may have filled the memory while this request was queued.
      has_waited = true;
      co_await asio::post(asio::bind_executor(own_thread, system::kAwait));
      visit.reset();
      if (!co_await wait_for_room()) co_return;
    } else {
      done = answer_on_this_worker();
      if (done) memory.note_answer(bytes_of_answer() + bytes_of_stream);
    }
  }
  co_await asio::post(asio::bind_executor(own_thread, system::kAwait));
}

// Like answer_here(), on a worker of the kind `where_`.
bool Exchange::answer_on_this_worker() {
  if (due_ == Due::kAnswer) {
    const std::atomic<bool>* const stopping = &group_.router().stopping();
    storage::Effort effort = where_ == ThreadKind::kWaitingWorker
                                 ? storage::Effort::of_waiting_worker(kStepsOfAShortCall, stopping)
                                 : storage::Effort(storage::Effort::kUnlimited, stopping);
    if (!call_router(effort)) return false;
  }
  RequestRouter::finish(request_, response_);
  return true;
}

// Returns false if the call needs the other kind of thread, then in `where_`, or if the server
// ends.
bool Exchange::call_router(storage::Effort& effort) {
  if (group_.router().answer(route_, id(), request_, response_, effort)) return true;
  where_ = effort.is_exhausted() ? ThreadKind::kComputingWorker : ThreadKind::kWaitingWorker;
  return false;
}

// Answers that the client may send the request again later. Nothing of the request was done.
void Exchange::refuse(std::string_view why) {
  response_.clear();
  response_.allowed_origin = group_.router().allowed_origin(request_);
  response_.status = 503;
  response_.retry = true;
  response_.content_type = "text/plain";
  response_.body = why;
}

// A dropped request counts as answered with no bytes. Other requests are served during a delay. The
// delayed answer counts as one that waits to be written.
system::Task Exchange::carry_out_verdict() {
  const api::FaultVerdict& verdict = *response_.report.verdict();
  response_.sdk_retry_after = verdict.retry_after;
  if (session_->is_broken()) co_return;
  if (verdict.delay.count() != 0) {
    session_->memory().note_answer(bytes_of_answer() + session_->stream().held_bytes());
    co_await delay(verdict.delay);
  }
  if (verdict.cut == api::FaultVerdict::Cut::kNone) co_return;
  session_->end_after_answer();
  if (verdict.cut == api::FaultVerdict::Cut::kWithin || session_->is_broken()) co_return;
  head_.clear();
  response_.body.clear();
  note_finished();
  session_->hang_up();
}

system::Task Exchange::delay(std::chrono::nanoseconds delay) {
  session_->set_deadline(Session::kNever);
  system::Timer timer(session_->stream().get_executor());
  delay_ = &timer;
  const Clock::time_point begin = Clock::now();
  const Clock::time_point end = begin + delay;
  if (session_->is_aborted()) session_->hang_up();
  for (Clock::time_point now = begin; now < end && !session_->is_broken(); now = Clock::now()) {
    timer.expires_at(std::min<Clock::time_point>(end, now + kLookForClient));
    co_await timer.async_wait(system::kAwaitResult);
    if (session_->is_aborted() ||
        has_left(request_.descriptor, session_->stream().is_tls(), Clock::now() - begin)) {
      session_->hang_up();
    }
  }
  delay_ = nullptr;
}

// ---- writing -----------------------------------------------------------------------------------

bool Exchange::write() {
  if (group_.is_draining() || !request_.keep_alive) response_.close = true;
  if (response_.close) session_->end_after_answer();
  format_head(request_, response_, id(), group_.date().now(), head_);
  if (const api::FaultVerdict* verdict = response_.report.verdict(); verdict != nullptr)
      [[unlikely]] {
    if (verdict->cut == api::FaultVerdict::Cut::kWithin) truncate(verdict->kept);
  }
  if (sent_body().size() <= kJoinedBody) {
    head_.append(sent_body());
    is_joined_ = true;
  }
  const std::size_t size = head_.size() + sent_body().size();
  // Before the client can have the answer, so that its next request finds this one counted.
  note_finished();
  boost::system::error_code error;
  while (!error && written_ < std::min(size, kWrittenAtOnce)) {
    written_ += is_joined_ ? session_->stream().write_some(
                                 asio::const_buffer(asio::buffer(head_)) + written_, error)
                           : session_->stream().write_some(unwritten(), error);
  }
  if (error && error != asio::error::would_block) session_->hang_up();
  return written_ == size || session_->is_broken();
}

system::Task Exchange::write_rest() {
  session_->memory().hold_answer(bytes_of_answer() + session_->stream().held_bytes() +
                                 session_->buffer().capacity());
  group_.reset_evicted();
  session_->set_deadline(group_.now() + group_.options().request_timeout.count());
  const std::size_t size = head_.size() + sent_body().size();
  while (written_ < size) {
    session_->begin_wait(Session::WaitsFor::kClientToTake);
    const auto [error, written] =
        co_await session_->stream().async_write_some(unwritten(), system::kAwaitResult);
    if (!session_->end_wait(error, written)) co_return session_->hang_up();
    written_ += written;
  }
}

// The head has the length of the whole body. At least one byte of the body is removed, unless it is
// empty.
void Exchange::truncate(double kept) {
  std::string& body = response_.body;
  const double size = std::floor(kept * static_cast<double>(body.size()));
  const auto whole = static_cast<double>(body.size());
  body.resize(static_cast<std::size_t>(std::clamp(size, 0.0, std::max(whole - 1, 0.0))));
}

void Exchange::note_finished() {
  group_.note_finished({.route = route_,
                        .request = request_,
                        .response = response_,
                        .id = id(),
                        .bytes_in = body_bytes_,
                        .bytes_out = head_.size() + sent_body().size(),
                        .duration = Clock::now() - whole_at_,
                        .descriptor = session_->stream().socket().native_handle()});
}

std::string_view Exchange::sent_body() const {
  return request_.method == Method::kHead || is_joined_ ? std::string_view() : response_.body;
}

std::array<asio::const_buffer, 2> Exchange::unwritten() const {
  const std::string_view body = sent_body();
  const std::size_t of_head = std::min(written_, head_.size());
  return {asio::buffer(head_) + of_head,
          asio::const_buffer(body.data(), body.size()) + (written_ - of_head)};
}

}  // namespace magneto::server::http
