#include "api/faults/verdict_draft.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <variant>
#include <vector>

#include "api/faults/injected_error.h"

namespace magneto::api {
namespace {

using std::chrono::nanoseconds;

// 99 % of the standard normal distribution lie below this value.
constexpr double kTailOfNormal = 2.326347874040841;

nanoseconds draw_latency(const InjectedLatency& latency, Draws& draws) {
  const auto low = static_cast<double>(latency.low.count());
  const auto high = static_cast<double>(latency.high.count());
  if (!latency.is_lognormal) {
    return latency.low + nanoseconds(std::llround(draws.next_part() * (high - low)));
  }
  // The Box-Muller transform; the argument of the logarithm is never 0.
  const double radius = std::sqrt(-2 * std::log(1 - draws.next_part()));
  const double normal = radius * std::cos(2 * std::numbers::pi * draws.next_part());
  const double drawn = low * std::exp(std::log(high / low) / kTailOfNormal * normal);
  constexpr nanoseconds kMost = Faults::kMaxDelay;
  return drawn < static_cast<double>(kMost.count()) ? nanoseconds(std::llround(drawn)) : kMost;
}

}  // namespace

bool VerdictDraft::may_take(const Fault& fault) const {
  return !is_closed_ || std::holds_alternative<InjectedLatency>(fault);
}

void VerdictDraft::take(const FaultRule& rule, const MatchedMembers& members, Draws draws) {
  draws.next();  // the first number decided whether the request is hit
  if (const auto* latency = std::get_if<InjectedLatency>(&rule.fault)) {
    verdict_.delay += draw_latency(*latency, draws);
    verdict_.delay = std::min<nanoseconds>(verdict_.delay, Faults::kMaxDelay);
    return;
  }
  is_closed_ = true;
  if (const auto* error = std::get_if<InjectedError>(&rule.fault)) {
    verdict_.error = make_error(*error, call_, members);
    verdict_.status = error->status;
    verdict_.retry_after = error->retry_after;
  } else if (const auto* drop = std::get_if<DroppedConnection>(&rule.fault)) {
    verdict_.cut = drop->before ? FaultVerdict::Cut::kBefore : FaultVerdict::Cut::kAfter;
  } else if (const auto* truncation = std::get_if<TruncatedAnswer>(&rule.fault)) {
    verdict_.cut = FaultVerdict::Cut::kWithin;
    verdict_.kept = 1 - truncation->fraction;
  } else if (const auto* left_out = std::get_if<LeftOutMembers>(&rule.fault)) {
    leave_out(left_out->fraction, members, draws);
  }
}

// Leaves out this fraction of the matching members, at least one, chosen at random.
void VerdictDraft::leave_out(double fraction, const MatchedMembers& members, Draws& draws) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members.test(i)) places.push_back(i);
  }
  const auto count =
      static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(places.size())));
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(places[i], places[i + draws.next() % (places.size() - i)]);
    verdict_.left_out.set(places[i]);
  }
  // A batch with no processed member is refused (AWS API reference, BatchWriteItem). Statements
  // have their own errors instead.
  if (count == call_.subjects.size() && call_.operation.name != "BatchExecuteStatement") {
    verdict_.left_out.reset();
    verdict_.error =
        make_error({.type = ErrorType::kProvisionedThroughputExceeded}, call_, members);
  }
}

}  // namespace magneto::api
