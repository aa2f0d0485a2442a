#include "server/http/session_group.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <string>
#include <utility>

#include "server/system/log.h"
#include "server/system/log_messages.h"

namespace magneto::server::http {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

constexpr std::size_t kKeptExchanges = 8;
constexpr std::size_t kKeptBytes = 1 << 20;
constexpr milliseconds kLookForRoom{10};
constexpr int kTurnsAtATime = 4;

// A quarter of the shortest time-out, from 10 milliseconds to a second.
milliseconds choose_sweep_interval(const SessionOptions& options) {
  const milliseconds shortest = std::min({options.idle_timeout, options.request_timeout,
                                          options.header_timeout, options.drain_timeout});
  return std::clamp(shortest / 4, milliseconds(10), milliseconds(1000));
}

// After drain() a client has this long to send the rest of an incomplete request.
constexpr milliseconds kHalfSentDrain{500};
constexpr milliseconds kDrainSweepInterval{50};

std::int64_t steady_milliseconds() {
  return std::chrono::duration_cast<milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void log_failure(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    system::log(system::LogLevel::kError, system::messages::kConnectionFault(error.what()));
  }
}

}  // namespace

SessionGroup::SessionGroup(const RequestRouter& router, Workers& workers,
                           ConnectionMemoryBudget& held_memory, const SessionOptions& options,
                           TableLabels& tables, AccessLog* access_log, HandOver hand_over)
    : router_(router),
      workers_(workers),
      held_memory_(held_memory),
      options_(options),
      hand_over_(std::move(hand_over)),
      request_counts_(tables),
      access_log_(access_log),
      // Only one thread uses the sockets and timers. Posting to the queue is thread-safe.
      context_(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO),
      work_(context_.get_executor()),
      timer_(context_.get_executor()),
      queue_timer_(context_.get_executor()),
      sweep_interval_(choose_sweep_interval(options)),
      now_(steady_milliseconds()) {}

SessionGroup::~SessionGroup() = default;

void SessionGroup::run() {
  for (;;) {
    try {
      context_.run();
      return;
    } catch (const std::exception& error) {
      // Memory or descriptors ran out for one connection; the others continue.
      system::log(system::LogLevel::kError, system::messages::kEventLoopFault(error.what()));
    }
  }
}

void SessionGroup::open(Connection connection) {
  size_.fetch_add(1, std::memory_order_relaxed);
  asio::post(context_,
             [this, connection = std::move(connection)]() mutable { add(std::move(connection)); });
}

void SessionGroup::drain() {
  asio::post(context_, [this] {
    draining_ = true;
    const std::int64_t now = steady_milliseconds();
    drain_deadline_ = now + options_.drain_timeout.count();
    half_sent_deadline_ = std::min(drain_deadline_, now + kHalfSentDrain.count());
    sweep_interval_ = std::min(sweep_interval_, kDrainSweepInterval);
    for (const std::unique_ptr<Session>& session : sessions_) {
      if (session->is_idle()) session->abort();
    }
    if (!sessions_.empty()) schedule_sweep();
    finish_if_drained();
  });
}

void SessionGroup::close_longest_idle(std::function<void(bool closed)> done) {
  asio::post(context_, [this, done = std::move(done)] {
    Session* const session = find_longest_idle();
    if (session != nullptr) session->abort();
    done(session != nullptr);
  });
}

// A closed session is idle until it has ended, but is no longer open.
Session* SessionGroup::find_longest_idle() const {
  Session* longest = nullptr;
  for (const std::unique_ptr<Session>& session : sessions_) {
    if (!session->is_idle() || session->is_aborted() || session->is_at_handshake_worker()) continue;
    if (longest == nullptr || session->idle_turn() < longest->idle_turn()) longest = session.get();
  }
  return longest;
}

void SessionGroup::part_evicted() {
  if (has_evicted_.exchange(true)) return;
  asio::post(context_, [this] { reset_evicted(); });
}

// While the server is busy, only the system knows which bytes a client took or sent. A descriptor
// may be closed meanwhile and even belong to another connection; that does no harm here.
bool SessionGroup::has_moved(const ConnectionMemoryBudget::Part& part) {
  pollfd state{part.descriptor(), static_cast<short>(part.is_answer() ? POLLOUT : POLLIN), 0};
  return ::poll(&state, 1, 0) > 0 && (state.revents & state.events) != 0;
}

void SessionGroup::reset_all_evicted() {
  has_evicted_ = false;
  for (const std::unique_ptr<Session>& session : sessions_) {
    if (held_memory_.is_evicted(session->held_part())) session->reset_connection();
  }
}

void SessionGroup::join_queue(Timer& turn) {
  queue_.push_back(&turn);
  if (queue_.size() == 1) look_for_room();
}

void SessionGroup::leave_queue(Timer& turn) { std::erase(queue_, &turn); }

// Lets only a few run at a time, since the memory that they hold shows only after they have run.
void SessionGroup::look_for_room() {
  queue_timer_.expires_after(kLookForRoom);
  queue_timer_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    for (int i = 0; (draining_ || i < kTurnsAtATime) && !queue_.empty(); ++i) {
      if (!draining_ && !held_memory_.has_room(steady_milliseconds())) break;
      queue_.front()->cancel();
      queue_.pop_front();
    }
    if (!queue_.empty()) look_for_room();
  });
}

std::unique_ptr<Exchange> SessionGroup::lend_exchange() {
  if (exchanges_.empty()) return std::make_unique<Exchange>(*this);
  std::unique_ptr<Exchange> exchange = std::move(exchanges_.back());
  exchanges_.pop_back();
  return exchange;
}

void SessionGroup::return_exchange(std::unique_ptr<Exchange> exchange) {
  if (exchanges_.size() >= kKeptExchanges || exchange->bytes() > kKeptBytes) return;
  exchange->clear();
  exchanges_.push_back(std::move(exchange));
}

void SessionGroup::add(Connection connection) {
  boost::system::error_code error;
  system::Socket socket(context_.get_executor());
  if (!draining_) {
    socket.assign(asio::ip::tcp::v4(), connection.descriptor, error);
    if (!error) socket.non_blocking(true, error);
  }
  if (draining_ || error) {
    if (!socket.is_open()) ::close(connection.descriptor);
    size_.fetch_sub(1, std::memory_order_relaxed);
    return;
  }
  if (!sweeping_) {
    now_ = steady_milliseconds();
    schedule_sweep();
  }
  sessions_.push_back(std::make_unique<Session>(*this, std::move(socket), std::move(connection)));
  Session* const session = sessions_.back().get();
  session->set_place(sessions_.size() - 1);
  asio::co_spawn(context_.get_executor(), session->run(),
                 [this, session](const std::exception_ptr& failure) {
                   if (failure) log_failure(failure);
                   remove(session);
                 });
}

void SessionGroup::remove(Session* session) {
  const std::size_t place = session->place();
  sessions_.back()->set_place(place);
  std::swap(sessions_[place], sessions_.back());
  sessions_.pop_back();
  size_.fetch_sub(1, std::memory_order_relaxed);
  finish_if_drained();
}

void SessionGroup::schedule_sweep() {
  sweeping_ = true;
  timer_.expires_after(sweep_interval_);
  timer_.async_wait([this](const boost::system::error_code& error) {
    sweeping_ = false;
    if (!error) sweep();
  });
}

void SessionGroup::sweep() {
  now_ = steady_milliseconds();
  const bool end_all = draining_ && now_ >= drain_deadline_;
  const bool end_half_sent = draining_ && now_ >= half_sent_deadline_;
  std::int64_t longest_idle = Session::kNever;
  for (const std::unique_ptr<Session>& session : sessions_) {
    if (end_all || (end_half_sent && session->is_receiving())) {
      session->abort();
    } else if (now_ >= session->deadline()) {
      session->time_out();
    } else if (session->is_idle()) {
      longest_idle = std::min(longest_idle, session->deadline());
      session->check_unsent();
    }
  }
  longest_idle_since_.store(longest_idle, std::memory_order_relaxed);
  held_memory_.drop_stalled(now_);
  if (!sessions_.empty()) schedule_sweep();
}

void SessionGroup::finish_if_drained() {
  if (!draining_ || !sessions_.empty()) return;
  work_.reset();
  timer_.cancel();
}

}  // namespace magneto::server::http
