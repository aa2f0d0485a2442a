#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

#include "api/control_error.h"
#include "api/times.h"
#include "server/admin/control_call.h"
#include "server/admin/control_members.h"
#include "server/admin/messages.h"
#include "server/admin/setting_changes.h"
#include "storage/databases.h"
#include "storage/table/stale_reads.h"

namespace magneto::server::admin {
namespace {

using std::chrono::milliseconds;
using storage::StaleReads;

constexpr std::string_view kHeldText = "held";
constexpr std::chrono::hours kLongestLag{24};
constexpr std::int64_t kMostSteps = 1'000'000;

bool is_held(api::json::Object object, std::string_view name) {
  const api::json::Value value = object.find(name);
  return value.type() == api::json::Type::kString && value.string() == kHeldText;
}

template <typename Lag>
void write_lag(api::json::Writer& answer, std::string_view name, const Lag& lag) {
  answer.key(name);
  if (lag.is_held()) {
    answer.string(kHeldText);
  } else if (const auto delay = lag.delay()) {
    answer.string(api::duration_text(*delay));
  } else {
    answer.null();
  }
}

void write_consistency(storage::Databases& databases, ControlCall& call) {
  api::json::Writer& answer = call.answer;
  answer.begin_object();
  write_lag(answer, "index_lag", databases.index_delay());
  write_lag(answer, "replication_lag", databases.replication_delay());
  answer.text("ttl_delay", api::duration_text(databases.time_to_live_delay()));
  answer.key("read_staleness");
  if (!databases.stale_reads().is_on()) {
    answer.null();
  } else {
    const StaleReads::Settings settings = databases.stale_reads().settings();
    answer.begin_object();
    answer.key("held");
    answer.boolean(settings.is_held);
    answer.key("probability");
    answer.number(settings.probability);
    answer.integer("seed", static_cast<std::int64_t>(settings.seed));
    answer.integer("versions", static_cast<std::int64_t>(settings.versions));
    answer.integer("behind", static_cast<std::int64_t>(databases.stale_reads().versions_behind()));
    answer.end_object();
  }
  answer.end_object();
}

std::optional<StaleReads::Settings> read_staleness(api::json::Object wanted) {
  static constexpr std::string_view kMembers[] = {"probability", "seed", "versions"};
  if (is_held(wanted, "read_staleness")) {
    return StaleReads::Settings{.versions = StaleReads::kMaxVersions, .is_held = true};
  }
  const auto given = object_member(wanted, "read_staleness");
  if (!given) return std::nullopt;
  check_members(*given, kMembers);
  StaleReads::Settings settings{.probability = 1};
  if (const api::json::Value value = given->find("probability")) {
    if (value.type() != api::json::Type::kNumber) {
      throw api::ControlError(messages::kWrongKind("probability", messages::kANumber));
    }
    settings.probability = value.number();
    if (!(settings.probability >= 0 && settings.probability <= 1)) {
      throw api::ControlError(messages::kNotInRange("probability", "0", "1"));
    }
  }
  settings.seed = static_cast<std::uint64_t>(
      integer_member(*given, "seed", 0, std::numeric_limits<std::int64_t>::max()).value_or(0));
  settings.versions = static_cast<std::size_t>(
      integer_member(*given, "versions", 1, std::int64_t{StaleReads::kMaxVersions}).value_or(1));
  return settings;
}

struct LagSetting {
  bool is_held = false;
  std::optional<milliseconds> lag;

  bool is_given() const { return is_held || lag; }
};

LagSetting read_lag(api::json::Object wanted, std::string_view name) {
  if (is_held(wanted, name)) return {.is_held = true, .lag = std::nullopt};
  const auto lag = duration_member(wanted, name, std::chrono::microseconds(0), kLongestLag);
  if (!lag) return {};
  return {.is_held = false, .lag = std::chrono::ceil<milliseconds>(*lag)};
}

void tell_consistency(ControlCall& call) { write_consistency(call.space()->databases(), call); }

void set_consistency(ControlCall& call) {
  const auto space = call.space();
  change_consistency(&space->databases(), call.body);
  write_consistency(space->databases(), call);
}

void reset_consistency(ControlCall& call) {
  const auto space = call.space();
  space->databases().stale_reads().turn_off();
  space->databases().set_index_delay(std::nullopt);
  space->databases().set_replication_delay(std::nullopt);
  space->databases().set_time_to_live_delay(std::nullopt);
  write_consistency(space->databases(), call);
}

void release(ControlCall& call) {
  const auto space = call.space();
  const auto steps = static_cast<std::size_t>(
      integer_member(call.body, "steps", 1, kMostSteps).value_or(kMostSteps));
  storage::Databases& databases = space->databases();
  if (databases.index_delay().is_held()) databases.release_indexes(steps);
  databases.stale_reads().release(steps);
  write_consistency(databases, call);
}

constexpr std::string_view kSteps[] = {"steps"};
constexpr std::array kConsistencyRoutes = {
    ControlRoute{http::Method::kGet, "namespaces/{}/consistency", tell_consistency},
    ControlRoute{http::Method::kPut,
                 "namespaces/{}/consistency",
                 set_consistency,
                 kConsistencyMembers,
                 {},
                 true},
    ControlRoute{http::Method::kDelete, "namespaces/{}/consistency", reset_consistency},
    ControlRoute{
        http::Method::kPost, "namespaces/{}/consistency/release", release, kSteps, {}, true},
};

}  // namespace

void change_consistency(storage::Databases* databases, api::json::Object wanted) {
  const std::optional<StaleReads::Settings> staleness = read_staleness(wanted);
  const LagSetting index = read_lag(wanted, "index_lag");
  const LagSetting replication = read_lag(wanted, "replication_lag");
  const auto expiry =
      duration_member(wanted, "ttl_delay", std::chrono::microseconds(0), kLongestLag);
  if (!staleness && !index.is_given() && !replication.is_given() && !expiry)
    throw api::ControlError(messages::kNoConsistency);
  if (databases == nullptr) return;
  if (staleness) databases->set_stale_reads(*staleness);
  if (index.is_held) databases->hold_indexes();
  if (index.lag) databases->set_index_delay(index.lag);
  if (replication.is_held) databases->hold_replication();
  if (replication.lag) databases->set_replication_delay(replication.lag);
  if (expiry) databases->set_time_to_live_delay(std::chrono::ceil<milliseconds>(*expiry));
}

std::span<const ControlRoute> consistency_routes() { return kConsistencyRoutes; }

}  // namespace magneto::server::admin
