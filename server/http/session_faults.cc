#include <algorithm>
#include <chrono>
#include <cmath>

#include "server/http/session.h"
#include "server/http/session_group.h"

namespace magneto::server::http {
namespace {

using Clock = std::chrono::steady_clock;

// How often it is looked whether the client of a delayed answer is still there.
constexpr std::chrono::seconds kLookForClient{1};

}  // namespace

// What fault rules decided about the connection (api/faults), once the answer is there. Dropped
// requests count as answered, with nothing.
system::Task Session::carry_out(const api::FaultVerdict& verdict, const Route& route) {
  if (broken_) co_return;
  if (verdict.delay.count() != 0) co_await delay_answer(verdict.delay);
  if (verdict.cut == api::FaultVerdict::Cut::kNone) co_return;
  open_ = false;
  if (verdict.cut == api::FaultVerdict::Cut::kWithin || broken_) co_return;
  exchange_->head.clear();
  exchange_->response.body.clear();
  note_finished(route);
  hang_up();
}

// Others are served meanwhile; the answer counts as one that waits to be written.
system::Task Session::delay_answer(std::chrono::nanoseconds delay) {
  memory_.note_answer(bytes_of_answer() + stream_.held_bytes());
  deadline_ = kNever;
  system::Timer timer(stream_.get_executor());
  delay_ = &timer;
  const Clock::time_point begin = Clock::now();
  const Clock::time_point end = begin + delay;
  for (Clock::time_point now = begin; now < end && !is_aborted(); now = Clock::now()) {
    timer.expires_at(std::min<Clock::time_point>(end, now + kLookForClient));
    co_await timer.async_wait(system::kAwaitResult);
    if (is_aborted()) break;
    if (has_left(stream_.socket().native_handle(), stream_.is_tls(), Clock::now() - begin)) {
      hang_up();
      break;
    }
  }
  delay_ = nullptr;
  if (is_aborted()) hang_up();
}

// The head tells of the whole body, of which a byte at least is missing.
void Session::truncate_answer(double kept) {
  std::string& body = exchange_->response.body;
  const double size = std::floor(kept * static_cast<double>(body.size()));
  const auto whole = static_cast<double>(body.size());
  body.resize(static_cast<std::size_t>(std::clamp(size, 0.0, std::max(whole - 1, 0.0))));
}

}  // namespace magneto::server::http
