#include "api/costs/cost_request.h"

#include <limits>

#include "api/control_error.h"
#include "api/json/strict_object.h"
#include "api/messages/control_messages.h"
#include "api/messages/cost_messages.h"

namespace magneto::api {
namespace {

CostFormat read_format(const json::StrictObject& members) {
  const std::string_view format = members.value("format").string();
  if (format == "json" || !members.has("format")) return CostFormat::kJson;
  if (format == "csv") return CostFormat::kCsv;
  if (format == "markdown") return CostFormat::kMarkdown;
  throw ControlError(messages::kCostFormat);
}

void read_rates(json::Value given, CostRequest& request) {
  if (!given) return;
  if (!given.is_object()) throw ControlError(messages::not_an_object("'rates'"));
  const json::Object rates = given.object();
  if (rates.size() > CostRequest::kMostRates) {
    throw ControlError(messages::too_many_rates(CostRequest::kMostRates));
  }
  for (const auto& [name, rate] : rates) {
    const double calls = rate.number();
    if (rate.type() != json::Type::kNumber || !(calls >= 0 && calls <= CostRequest::kMostCalls)) {
      throw ControlError(messages::not_a_number(name, 0, CostRequest::kMostCalls));
    }
    if (!request.rates.emplace(name, calls).second) {
      throw ControlError(messages::doubled_member(name, "'rates'"));
    }
  }
}

}  // namespace

CostRequest read_cost_request(json::Object given) {
  constexpr std::size_t kLongestTable = 255;
  constexpr std::size_t kLongestRegion = 64;
  constexpr std::size_t kLongestAccessKey = 256;
  const json::StrictObject members(given, "the request", kCostRequest);
  CostRequest request;
  request.table = members.string("table", kLongestTable).value_or("");
  request.after = static_cast<std::uint64_t>(
      members.whole("after", 0, std::numeric_limits<std::int64_t>::max()).value_or(0));
  request.except_access_key = members.string("except_access_key", kLongestAccessKey).value_or("");
  request.format = read_format(members);
  request.calls_per_second =
      members.number("calls_per_second", 0, CostRequest::kMostCalls).value_or(1);
  read_rates(members.value("rates"), request);
  request.utilization = members.number("utilization", CostRequest::kLeastUtilization, 1)
                            .value_or(request.utilization);
  request.prices = read_prices(members.string("region", kLongestRegion).value_or("us-east-1"),
                               members.value("prices"));
  return request;
}

}  // namespace magneto::api
