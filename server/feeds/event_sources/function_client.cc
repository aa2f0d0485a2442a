#include "server/feeds/event_sources/function_client.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "server/client/endpoint/aws_request.h"
#include "server/feeds/event_sources/messages.h"
#include "server/system/utf8.h"

namespace magneto::server::feeds {
namespace {

constexpr std::chrono::seconds kConnectTime{3};
constexpr std::size_t kLongestClientReason = 300;

// "/2015-03-31/functions/orders/invocations" (Lambda API reference, Invoke)
std::string path_of(const std::string& function) {
  std::string path = "/2015-03-31/functions/";
  client::append_escaped(function, path);
  return path + "/invocations";
}

// With these statuses the function did not run, but may run later: it is throttled, does not exist
// yet, or a proxy before it has failed (Lambda API reference, Invoke, "Errors").
bool is_for_later(int status) {
  constexpr int kLater[] = {404, 429};
  return status >= 500 || std::ranges::find(kLater, status) != std::end(kLater);
}

Invocation classify(const client::HttpAnswer& answer, FunctionAnswerReader& reader) {
  using Kind = Invocation::Kind;
  const auto field = [&answer](std::string_view name) {
    return system::sanitize_for_log(answer.field(name), kLongestClientReason);
  };
  Invocation result;
  result.status = answer.status;
  result.request_id = field("x-amzn-requestid");
  result.version = field("x-amz-executed-version");
  result.function_error = field("x-amz-function-error");
  const std::string told = system::sanitize_for_log(reader.text(), kLongestClientReason);
  FunctionAnswer returned = reader.finish();
  if (result.function_error.empty() && returned.tells_of_error) result.function_error = "Unhandled";
  if (!result.function_error.empty()) {
    result.kind = Kind::kFailed;
    result.why = messages::kFunctionError(result.function_error, told);
  } else if (answer.status < 200 || answer.status > 299) {
    result.kind = is_for_later(answer.status) ? Kind::kNotNow : Kind::kFailed;
    result.why = messages::kInvocationStatus(answer.status, told);
  } else {
    result.kind = Kind::kDone;
    result.failed_items = std::move(returned.failed_items);
  }
  return result;
}

}  // namespace

FunctionClient::FunctionClient(const EventSourceMapping& mapping, ConnectionPool& pool,
                               client::Environment environment, std::function<bool()> is_over)
    : purpose_{mapping.endpoint, client::ClientTimeouts{kConnectTime, mapping.timeout}, kMostBytes},
      pool_(pool),
      path_(path_of(mapping.function_name)),
      most_items_(mapping.reports_item_failures ? mapping.batch_size : 0),
      environment_(std::move(environment)),
      is_over_(std::move(is_over)) {
  if (purpose_.url.tls) pool_.need_certificates();
}

client::HttpAnswer FunctionClient::post(std::string_view region, const std::string& event,
                                        FunctionAnswerReader& reader) {
  client::HttpRequest request{.target = path_,
                              .fields = {{"Content-Type", "application/json"},
                                         {"X-Amz-Invocation-Type", "RequestResponse"}},
                              .body = event,
                              .resends = false};
  // Read each time: temporary keys are replaced in their file.
  client::AwsProfile signer = client::find_signer(purpose_.url, environment_);
  signer.region = region;
  client::sign(request, purpose_.url, signer, "lambda");
  ConnectionPool::Use use(pool_, purpose_);
  client::HttpAnswer answer = use.connection().send(request, is_over_, reader);
  use.keep();
  return answer;
}

Invocation FunctionClient::invoke(std::string_view region, const std::string& event) {
  using Kind = Invocation::Kind;
  Invocation failed;
  try {
    FunctionAnswerReader reader(most_items_);
    return classify(post(region, event, reader), reader);
  } catch (const client::ConnectionError& error) {
    const bool was_sent = error.kind() == client::ConnectionError::Kind::kLost ||
                          error.kind() == client::ConnectionError::Kind::kTimedOut;
    failed.kind = was_sent ? Kind::kFailed : Kind::kNotNow;
    const auto limit = std::chrono::duration_cast<std::chrono::seconds>(purpose_.timeouts.exchange);
    failed.why = error.kind() == client::ConnectionError::Kind::kTimedOut
                     ? messages::kFunctionTimedOut(limit.count())
                     : error.what();
  } catch (const std::runtime_error& error) {  // no descriptor, nor keys: nothing was sent
    failed.kind = Kind::kNotNow;
    failed.why = error.what();
  }
  if (is_over_()) failed.kind = Kind::kOver;
  return failed;
}

}  // namespace magneto::server::feeds
