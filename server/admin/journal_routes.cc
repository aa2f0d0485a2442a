#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "absl/strings/numbers.h"
#include "api/control_error.h"
#include "api/costs/cost_request.h"
#include "api/journal/assertions.h"
#include "api/journal/journal_json.h"
#include "api/journal/journal_wait.h"
#include "api/times.h"
#include "server/admin/control_call.h"
#include "server/admin/messages.h"

namespace magneto::server::admin {
namespace {

constexpr std::uint64_t kUsualRecords = 1'000;
constexpr std::uint64_t kMostRecords = 10'000;
constexpr std::chrono::seconds kLongestWait{60};

std::optional<std::uint64_t> number_of(const ControlCall& call, std::string_view name) {
  const std::optional<std::string> given = call.query(name);
  if (!given) return std::nullopt;
  std::int64_t number = 0;
  if (!absl::SimpleAtoi(*given, &number) || number < 0)
    throw api::ControlError(messages::kNotANumber(name));
  return static_cast<std::uint64_t>(number);
}

api::JournalFilter read_filter(const ControlCall& call) {
  api::JournalFilter filter;
  filter.after = number_of(call, "after").value_or(0);
  filter.operation = call.query("operation").value_or("");
  filter.table = call.query("table").value_or("");
  filter.error = call.query("error").value_or("");
  if (const auto status = number_of(call, "status")) {
    constexpr std::uint64_t kLargestStatus = 599;
    if (*status > kLargestStatus) throw api::ControlError(messages::kNotANumber("status"));
    filter.status = static_cast<int>(*status);
  }
  return filter;
}

// Waits until there is a record that may match.
void wait(api::Journal& journal, const api::JournalFilter& filter, ControlCall& call) {
  const auto given = call.query("wait");
  if (!given) return;
  const auto time = api::read_signed_duration(*given);
  if (!time || *time < time->zero() || *time > kLongestWait) {
    throw api::ControlError(messages::kNotInRange("wait", "0s", api::duration_text(kLongestWait)));
  }
  const auto is_over = [&] { return call.server.is_stopping() || call.has_left(); };
  if (!api::wait_for_record(journal, filter.after, *time, is_over)) {
    throw api::ControlError(messages::kTooManyWait, 429);
  }
}

void read_journal(ControlCall& call) {
  const auto space = call.space();
  api::Journal& journal = space->settings()->journal;
  const api::JournalFilter filter = read_filter(call);
  const std::optional<std::uint64_t> limit = number_of(call, "limit");
  const std::string format = call.query("format").value_or("json");
  if (format != "json" && format != "jsonl") throw api::ControlError(messages::kJournalFormat);
  wait(journal, filter, call);
  if (format == "jsonl") {
    call.text = api::journal_lines(
        journal, journal.read(filter, limit.value_or(std::numeric_limits<std::size_t>::max())));
    if (call.text.empty()) call.text.assign(1, '\n');
    return;
  }
  call.answer.begin_object();
  api::write_journal_page(
      journal, journal.read(filter, std::min(limit.value_or(kUsualRecords), kMostRecords)),
      call.answer);
  api::write_journal_settings(journal.settings(), call.answer);
  call.answer.end_object();
}

void write_settings(const api::Journal& journal, ControlCall& call) {
  call.answer.begin_object();
  api::write_journal_settings(journal.settings(), call.answer);
  call.answer.end_object();
}

void change_journal(ControlCall& call) {
  const auto space = call.space();
  api::Journal& journal = space->settings()->journal;
  journal.change(api::read_journal_settings(call.body, journal.settings()));
  write_settings(journal, call);
}

void clear_journal(ControlCall& call) {
  const auto space = call.space();
  space->settings()->journal.clear();
  write_settings(space->settings()->journal, call);
}

void hold_assertions(ControlCall& call) {
  const auto space = call.space();
  api::check_assertions(space->settings()->journal, call.body, call.answer);
}

void report_costs(ControlCall& call) {
  api::Service::CostText report = call.space()->service().report_costs(call.body);
  call.text = std::move(report.text);
  call.text_type = report.content_type;
}

constexpr std::string_view kJournalQueries[] = {"after", "limit",  "operation", "table",
                                                "error", "status", "wait",      "format"};
constexpr std::array kJournalRoutes = {
    ControlRoute{http::Method::kGet, "namespaces/{}/journal", read_journal, {}, kJournalQueries},
    ControlRoute{http::Method::kPut, "namespaces/{}/journal", change_journal,
                 api::kJournalSettings},
    ControlRoute{http::Method::kDelete, "namespaces/{}/journal", clear_journal},
    ControlRoute{http::Method::kPost, "namespaces/{}/journal/assert", hold_assertions,
                 api::kAssertionRequest},
    ControlRoute{http::Method::kPost, "namespaces/{}/journal/report", report_costs,
                 api::kCostRequest},
};

}  // namespace

std::span<const ControlRoute> journal_routes() { return kJournalRoutes; }

}  // namespace magneto::server::admin
