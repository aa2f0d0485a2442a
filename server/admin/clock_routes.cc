#include <array>
#include <chrono>

#include "api/control_error.h"
#include "api/times.h"
#include "server/admin/control_call.h"
#include "server/admin/control_members.h"
#include "server/admin/messages.h"
#include "server/admin/setting_changes.h"
#include "storage/clock.h"

namespace magneto::server::admin {
namespace {

using Clock = storage::Clock;

// The limit of `advance`. The clock itself refuses a time that is out of its range.
constexpr Clock::Duration kFarthest = Clock::kLast - Clock::kFirst;

void write_clock(const Clock& clock, ControlCall& call) {
  using std::chrono::milliseconds;
  // Real time passes between the two reads of it.
  const auto offset = std::chrono::round<milliseconds>(clock.offset());
  call.answer.begin_object();
  call.answer.text("now", api::time_text(clock.now()));
  call.answer.text("offset", api::duration_text(offset));
  call.answer.key("frozen");
  call.answer.boolean(clock.is_frozen());
  call.answer.end_object();
}

void tell_clock(ControlCall& call) { write_clock(call.space()->clock(), call); }

void change(Clock& clock, api::json::Object wanted) {
  const auto now = time_member(wanted, "now");
  const auto by = duration_member(wanted, "advance", -kFarthest, kFarthest);
  const auto frozen = boolean_member(wanted, "frozen");
  if ((now && by) || (!now && !by && !frozen)) throw api::ControlError(messages::kOneClockMember);
  if (now) return clock.set(*now, frozen);
  // Advance first: this can be refused, and the clock is frozen at the new time.
  if (by) clock.advance(*by);
  if (frozen && *frozen) clock.freeze();
  if (frozen && !*frozen) clock.unfreeze();
}

void set_clock(ControlCall& call) {
  const auto space = call.space();
  change_clock(space->clock(), call.body);
  write_clock(space->clock(), call);
}

void reset_clock(ControlCall& call) {
  const auto space = call.space();
  space->clock().reset();
  write_clock(space->clock(), call);
}

constexpr std::array kClockRoutes = {
    ControlRoute{http::Method::kGet, "namespaces/{}/clock", tell_clock},
    ControlRoute{http::Method::kPut, "namespaces/{}/clock", set_clock, kClockMembers, {}, true},
    ControlRoute{http::Method::kDelete, "namespaces/{}/clock", reset_clock},
};

}  // namespace

void change_clock(Clock& clock, api::json::Object wanted) {
  try {
    change(clock, wanted);
  } catch (const storage::ClockOutOfRange& error) {
    throw api::ControlError(error.what());
  }
}

std::span<const ControlRoute> clock_routes() { return kClockRoutes; }

}  // namespace magneto::server::admin
