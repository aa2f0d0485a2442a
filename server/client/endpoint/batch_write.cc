#include "server/client/endpoint/batch_write.h"

#include <optional>

#include "api/json/json_reader.h"
#include "server/client/endpoint/messages.h"

namespace magneto::server::client {
namespace {

using api::json::Value;

constexpr std::string_view kNothingLeft = R"("UnprocessedItems":{})";

std::size_t count_of(Value requests) {
  std::size_t count = 0;
  for (const auto [table, list] : requests.object()) count += list.array().size();
  return count;
}

double units_of(Value answer) {
  double units = 0;
  for (const Value used : answer.object().find("ConsumedCapacity").array()) {
    units += used.object().find("CapacityUnits").number();
  }
  return units;
}

}  // namespace

Outcome write_batch(Endpoint& endpoint, std::string& body, double* units,
                    const std::function<void(std::size_t)>& left_over) {
  RetryDelays delays;
  std::optional<std::size_t> left_before;
  while (true) {
    Outcome outcome = endpoint.call("BatchWriteItem", body);
    if (!outcome.succeeded()) return outcome;
    std::size_t count = 0;
    api::json::Document document;
    Value left;
    if (units != nullptr || outcome.body.find(kNothingLeft) == std::string::npos) {
      const Value answer = document.parse(outcome.body).value_or(Value());
      left = answer.object().find("UnprocessedItems");
      if (!left.is_object()) return no_answer(messages::kNoBatchAnswer, false);
      if (units != nullptr) *units += units_of(answer);
      count = count_of(left);
    }
    if (left_over) left_over(count);
    // The number of requests in the first call is not known.
    if (count == 0 || (left_before && count < *left_before)) {
      endpoint.patience()->renew();
      delays.restart();
    }
    if (count == 0) return outcome;
    left_before = count;
    body.assign(R"({"RequestItems":)");
    api::json::append_compact(left, body);
    if (units != nullptr) body += kAskForUnits;
    body += '}';
    if (!endpoint.wait_for_retry(delays, true)) return no_answer(messages::kAlwaysThrottled, true);
  }
}

}  // namespace magneto::server::client
