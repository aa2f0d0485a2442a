#include <array>
#include <chrono>

#include "api/error.h"
#include "api/times.h"
#include "server/admin/control_call.h"
#include "server/admin/metrics/process_families.h"

namespace magneto::server::admin {
namespace {

using api::json::Writer;

std::string_view name_of_state(http::AuthMode mode) {
  switch (mode) {
    case http::AuthMode::kShape:
      return "shape";
    case http::AuthMode::kOff:
      return "off";
    case http::AuthMode::kVerify:
      return "verify";
  }
  return {};
}

std::string_view name_of_state(api::Isolation isolation) {
  switch (isolation) {
    case api::Isolation::kNone:
      return "none";
    case api::Isolation::kRegion:
      return "region";
    case api::Isolation::kCredentials:
      return "credentials";
  }
  return {};
}

std::string_view name_of_state(api::ErrorType type) {
  const std::string_view name = api::error_info(type).name;
  return name.substr(name.rfind('#') + 1);
}

void write_count(std::string_view name, std::uint64_t count, Writer& answer) {
  answer.integer(name, static_cast<std::int64_t>(count));
}

// The controls that a test can use.
constexpr std::string_view kFeatures[] = {"namespaces", "forks",       "snapshots", "clock",
                                          "faults",     "consistency", "journal",   "reset",
                                          "truncate",   "settle"};

void tell_status(ControlCall& call) {
  using Seconds = std::chrono::duration<double>;
  const auto started = call.server.statistics().started;
  Writer& answer = call.answer;
  answer.begin_object();
  answer.text("version", MAGNETO_VERSION);
  answer.text("started", api::time_text(started));
  answer.key("uptime_seconds");
  answer.number(Seconds(std::chrono::system_clock::now() - started).count());
  answer.text("auth", name_of_state(call.options.auth));
  answer.text("profile", call.options.profile == api::Profile::kAws ? "aws" : "dynamodb-local");
  answer.key("durable");
  answer.boolean(call.options.is_durable);
  answer.text("isolation", name_of_state(call.options.isolation));
  answer.key("ui");
  answer.boolean(call.options.has_page);
  answer.key("control");
  answer.boolean(true);
  answer.key("features");
  answer.begin_array();
  for (const std::string_view feature : kFeatures) answer.string(feature);
  answer.end_array();
  answer.end_object();
}

// Each bucket counts the calls up to its limit, from the one before on; the last has no limit.
void write_durations(const http::RequestTotals::Calls& calls, Writer& answer) {
  http::Durations all;
  for (const http::Durations& durations : calls.by_result) {
    all.seconds += durations.seconds;
    for (std::size_t i = 0; i < all.buckets.size(); ++i) all.buckets[i] += durations.buckets[i];
  }
  answer.key("seconds_sum");
  answer.number(all.seconds);
  answer.key("buckets");
  answer.begin_array();
  for (std::size_t i = 0; i < all.buckets.size(); ++i) {
    answer.begin_array();
    if (i + 1 == all.buckets.size()) {
      answer.null();
    } else {
      answer.number(static_cast<double>(std::uint64_t{1} << (i + http::kFirstBucket)) / 1e6);
    }
    answer.integer(static_cast<std::int64_t>(all.buckets[i]));
    answer.end_array();
  }
  answer.end_array();
}

void write_calls(const http::RequestTotals::Calls& calls, Writer& answer) {
  std::uint64_t count = 0;
  for (const http::Durations& durations : calls.by_result) {
    for (const std::uint64_t bucket : durations.buckets) count += bucket;
  }
  answer.begin_object();
  write_count("calls", count, answer);
  answer.key("errors");
  answer.begin_object();
  for (std::size_t i = 0; i < calls.errors.size(); ++i) {
    if (calls.errors[i] == 0) continue;
    write_count(name_of_state(static_cast<api::ErrorType>(i)), calls.errors[i], answer);
  }
  answer.end_object();
  write_durations(calls, answer);
  answer.end_object();
}

void write_memory(const ServerStatistics& server, Writer& answer) {
  answer.key("memory");
  answer.begin_object();
  write_count("resident_bytes", resident_bytes(), answer);
  write_count("limit_bytes", server.memory_limit, answer);
  answer.end_object();
}

void tell_statistics(ControlCall& call) {
  const http::RequestTotals totals = call.server.request_totals();
  const ServerStatistics server = call.server.statistics();
  const api::ServiceStatistics main = call.namespaces.main()->service().statistics(0);
  Writer& answer = call.answer;
  answer.begin_object();
  answer.text("at", api::time_text(std::chrono::system_clock::now()));
  answer.key("operations");
  answer.begin_object();
  for (const auto& [operation, calls] : totals.calls) {
    answer.escaped_key(operation);
    write_calls(calls, answer);
  }
  answer.end_object();
  answer.key("throttled");
  answer.begin_object();
  write_count("reads", main.throttled_reads, answer);
  write_count("writes", main.throttled_writes, answer);
  answer.end_object();
  write_count("transaction_conflicts", main.store.transaction_conflicts, answer);
  write_memory(server, answer);
  write_count("connections", server.connections_at_acceptor + server.connections_of_io_threads,
              answer);
  write_count("namespaces", call.namespaces.count(), answer);
  answer.end_object();
}

constexpr std::array kServerRoutes = {
    ControlRoute{http::Method::kGet, "status", tell_status},
    ControlRoute{http::Method::kGet, "statistics", tell_statistics},
};

}  // namespace

std::span<const ControlRoute> server_routes() { return kServerRoutes; }

}  // namespace magneto::server::admin
