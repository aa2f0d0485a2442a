#include <array>
#include <chrono>
#include <string_view>

#include "api/control_error.h"
#include "api/times.h"
#include "server/admin/control_call.h"
#include "server/admin/control_members.h"
#include "server/admin/messages.h"
#include "server/admin/namespace_json.h"

namespace magneto::server::admin {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMostTables = 1'000;        // to name
constexpr std::size_t kLongestTableName = 1'024;  // or ARN
constexpr milliseconds kUsualTimeout{30'000};
constexpr milliseconds kLongestTimeout{600'000};

void reset(ControlCall& call) {
  call.state.reset(call.names.at(0));
  write_namespace(*call.space(), call);
}

void truncate(ControlCall& call) {
  const auto tables = strings_member(call.body, "tables", kMostTables);
  // An empty list means no tables, not all of them.
  if (tables && tables->empty()) throw api::ControlError(messages::kNoTables);
  if (tables) {
    for (const std::string_view table : *tables) {
      if (table.size() > kLongestTableName) throw api::ControlError(messages::kLongTableName);
    }
  }
  const std::uint64_t deleted =
      call.state.truncate(call.names.at(0), tables.value_or(std::vector<std::string_view>()),
                          [&call] { return call.has_left(); });
  call.answer.begin_object();
  call.answer.key("items");
  call.answer.integer(static_cast<std::int64_t>(deleted));
  call.answer.end_object();
}

void settle(ControlCall& call) {
  using std::chrono::microseconds;
  const microseconds timeout =
      duration_member(call.body, "timeout", microseconds(0), kLongestTimeout)
          .value_or(kUsualTimeout);
  const auto begun = std::chrono::steady_clock::now();
  if (!call.state.settle(call.names.at(0), std::chrono::ceil<milliseconds>(timeout),
                         [&call] { return call.has_left(); })) {
    throw api::ControlError(messages::kNotSettled(api::duration_text(timeout)), 409);
  }
  const auto waited = std::chrono::steady_clock::now() - begun;
  call.answer.begin_object();
  call.answer.text("waited", api::duration_text(std::chrono::ceil<milliseconds>(waited)));
  call.answer.end_object();
}

void restore(ControlCall& call) {
  const auto snapshot = string_member(call.body, "snapshot");
  if (!snapshot) throw api::ControlError(messages::kMissingMember("snapshot"));
  call.namespaces.restore(call.names.at(0), *snapshot);
  write_namespace(*call.space(), call);
}

constexpr std::string_view kTables[] = {"tables"};
constexpr std::string_view kTimeout[] = {"timeout"};
constexpr std::string_view kSnapshot[] = {"snapshot"};
constexpr std::array kStateRoutes = {
    ControlRoute{http::Method::kPost, "namespaces/{}/reset", reset},
    ControlRoute{http::Method::kPost, "namespaces/{}/truncate", truncate, kTables, {}, true},
    ControlRoute{http::Method::kPost, "namespaces/{}/settle", settle, kTimeout},
    ControlRoute{http::Method::kPost, "namespaces/{}/restore", restore, kSnapshot, {}, true},
};

}  // namespace

std::span<const ControlRoute> state_routes() { return kStateRoutes; }

}  // namespace magneto::server::admin
