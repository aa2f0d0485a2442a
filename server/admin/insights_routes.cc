#include <array>
#include <cstdint>
#include <string>

#include "absl/strings/numbers.h"
#include "api/control_error.h"
#include "api/insights/insights_report.h"
#include "server/admin/control_call.h"
#include "server/admin/messages.h"

namespace magneto::server::admin {
namespace {

void tell_insights(ControlCall& call) {
  const auto space = call.space();
  api::InsightsQuery query;
  query.table = call.query("table").value_or("");
  if (const auto given = call.query("limit")) {
    std::int64_t limit = 0;
    if (!absl::SimpleAtoi(*given, &limit) || limit < 1 ||
        limit > static_cast<std::int64_t>(api::InsightsQuery::kMostKeys)) {
      throw api::ControlError(
          messages::kNotInRange("limit", "1", std::to_string(api::InsightsQuery::kMostKeys)));
    }
    query.keys = static_cast<std::size_t>(limit);
  }
  space->service().write_insights(query, call.answer);
}

void clear_insights(ControlCall& call) {
  call.space()->service().clear_insights();
  call.answer.begin_object();
  call.answer.end_object();
}

constexpr std::string_view kInsightsQueries[] = {"table", "limit"};
constexpr std::array kInsightsRoutes = {
    ControlRoute{http::Method::kGet, "namespaces/{}/insights", tell_insights, {}, kInsightsQueries},
    ControlRoute{http::Method::kDelete, "namespaces/{}/insights", clear_insights},
};

}  // namespace

std::span<const ControlRoute> insights_routes() { return kInsightsRoutes; }

}  // namespace magneto::server::admin
