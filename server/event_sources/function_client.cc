#include "server/event_sources/function_client.h"

#include <chrono>
#include <utility>

#include "api/json/json_reader.h"
#include "server/event_sources/messages.h"
#include "server/transfer/endpoint/http_endpoint.h"
#include "server/transfer/endpoint/signed_fields.h"

namespace magneto::server {
namespace {

constexpr std::chrono::seconds kConnectTime{3};
constexpr std::size_t kLongestReason = 300;
constexpr int kThrottled = 429;

// "/2015-03-31/functions/orders/invocations" (Lambda API reference, Invoke)
std::string path_of(const std::string& function) {
  std::string path = "/2015-03-31/functions/";
  append_escaped(function, path);
  return path + "/invocations";
}

// Read once, however many mappings there are.
std::shared_ptr<TrustedCertificates> shared_certificates() {
  static const std::shared_ptr<TrustedCertificates> certificates = load_certificates({});
  return certificates;
}

Invocation judge(const HttpAnswer& answer) {
  using Kind = Invocation::Kind;
  Invocation result;
  result.status = answer.status;
  result.request_id = answer.field("x-amzn-requestid");
  result.version = answer.field("x-amz-executed-version");
  result.function_error = answer.field("x-amz-function-error");
  const std::string_view told = std::string_view(answer.body).substr(0, kLongestReason);
  if (answer.status == kThrottled) {
    result.kind = Kind::kNotNow;
    result.why = messages::invocation_status(answer.status, told);
  } else if (answer.status < 200 || answer.status > 299) {
    result.kind = Kind::kFailed;
    result.why = messages::invocation_status(answer.status, told);
  } else if (!result.function_error.empty() || tells_of_error(answer.body)) {
    if (result.function_error.empty()) result.function_error = "Unhandled";
    result.kind = Kind::kFailed;
    result.why = messages::function_error(result.function_error, told);
  } else {
    result.kind = Kind::kDone;
    result.answer = answer.body;
  }
  return result;
}

}  // namespace

bool tells_of_error(const std::string& body) {
  if (body.starts_with("Task timed out after ")) return true;
  if (body.find("\"errorMessage\"") == std::string::npos) return false;
  api::json::Document document;
  std::string padded = body;
  const auto value = document.parse(padded);
  if (!value) return false;
  const api::json::Object members = value->object();
  return members.find("errorMessage").is_string() && members.find("errorType").is_string();
}

FunctionClient::FunctionClient(const EventSourceMapping& mapping, Environment environment,
                               std::function<bool()> is_over)
    : url_(mapping.endpoint),
      timeout_(mapping.timeout),
      path_(path_of(mapping.function_name)),
      environment_(std::move(environment)),
      is_over_(std::move(is_over)),
      certificates_(url_.tls ? shared_certificates() : nullptr) {}

std::unique_ptr<HttpConnection> FunctionClient::take() {
  {
    const std::lock_guard lock(mutex_);
    const auto oldest = std::chrono::steady_clock::now() - kKeepTime;
    std::erase_if(kept_, [&](const Kept& kept) { return kept.since < oldest; });
    if (!kept_.empty()) {
      std::unique_ptr<HttpConnection> connection = std::move(kept_.back().connection);
      kept_.pop_back();
      return connection;
    }
  }
  return std::make_unique<HttpConnection>(url_, certificates_,
                                          ClientTimeouts{kConnectTime, timeout_}, kMostBytes);
}

void FunctionClient::give_back(std::unique_ptr<HttpConnection> connection) {
  const std::lock_guard lock(mutex_);
  if (kept_.size() == kMostKept) return;
  kept_.push_back({std::move(connection), std::chrono::steady_clock::now()});
}

HttpAnswer FunctionClient::post(std::string_view region, const std::string& event) {
  std::vector<OwnedField> own = {{"Host", url_.host_field()},
                                 {"Content-Type", "application/json"},
                                 {"X-Amz-Invocation-Type", "RequestResponse"}};
  // Read each time: keys that last for hours are replaced in their file.
  const AwsProfile signer = find_signer(url_, environment_);
  const std::vector<OwnedField> fields =
      signed_fields(std::move(own), {.uri = path_, .fields{}, .body_hash{}}, event, signer,
                    {.date{}, .region = region, .service = "lambda"});
  std::unique_ptr<HttpConnection> connection = take();
  HttpAnswer answer = connection->send("POST", path_, fields, event, is_over_, false);
  give_back(std::move(connection));
  return answer;
}

Invocation FunctionClient::invoke(std::string_view region, const std::string& event) {
  using Kind = Invocation::Kind;
  Invocation failed;
  try {
    return judge(post(region, event));
  } catch (const ConnectionError& error) {
    const bool was_sent = error.kind() == ConnectionError::Kind::kLost ||
                          error.kind() == ConnectionError::Kind::kTimedOut;
    failed.kind = was_sent ? Kind::kFailed : Kind::kNotNow;
    failed.why = error.kind() == ConnectionError::Kind::kTimedOut
                     ? messages::function_timed_out(timeout_)
                     : error.what();
  }
  if (is_over_()) failed.kind = Kind::kOver;
  return failed;
}

}  // namespace magneto::server
