#include "server/client/endpoint/http_endpoint.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "server/client/endpoint/aws_request.h"
#include "server/client/endpoint/messages.h"

namespace magneto::server::client {
namespace {

constexpr std::string_view kAws = "aws";
constexpr std::string_view kInventedRegion = "us-east-1";
constexpr std::string_view kTables = "DynamoDB_20120810.";
constexpr std::string_view kStreams = "DynamoDBStreams_20120810.";
constexpr std::string_view kStreamOperations[] = {"ListStreams", "DescribeStream",
                                                  "GetShardIterator", "GetRecords"};

bool is_of_streams(std::string_view operation) {
  return std::ranges::find(kStreamOperations, operation) != std::end(kStreamOperations);
}

std::string target_of(std::string_view operation) {
  return std::string(is_of_streams(operation) ? kStreams : kTables).append(operation);
}

std::string first_of(const std::string& a, const std::string& b, const std::string& c) {
  return !a.empty() ? a : !b.empty() ? b : c;
}

bool is_aws_address(std::string_view address) {
  return address == kAws || address.starts_with("aws:");
}

EndpointUrl parse_url(const std::string& text, const std::string& address) {
  auto url = parse_endpoint_url(text);
  if (!url) throw std::runtime_error(messages::kNoEndpointUrl(address));
  return *std::move(url);
}

EndpointUrl find_aws_url(const EndpointOptions& options, const AwsProfile& profile) {
  const std::string& address = options.address;
  const std::string named = address.substr(std::min(address.size(), kAws.size() + 1));
  const std::string region = first_of(named, options.region, profile.region);
  if (region.empty()) throw std::runtime_error(messages::kNoRegion);
  return parse_url(aws_endpoint_url(region).text(), address);
}

void complete(const EndpointOptions& options, const EndpointUrl& url, AwsProfile& signer) {
  signer.region = first_of(options.region, url.region, signer.region);
  if (url.is_aws) {
    if (!url.tls) throw std::runtime_error(messages::kUnsafeAwsUrl(url.text()));
    if (signer.access_key.empty()) throw std::runtime_error(messages::kNoKeys(url.text()));
    if (signer.region.empty()) throw std::runtime_error(messages::kNoRegion);
    return;
  }
  if (signer.region.empty()) signer.region = kInventedRegion;
}

}  // namespace

HttpEndpoint::HttpEndpoint(std::shared_ptr<const HttpTarget> target)
    : Endpoint(target->patience),
      target_(std::move(target)),
      connection_(target_->url, target_->certificates, target_->timeouts) {}

std::unique_ptr<Endpoint> HttpEndpoint::another() const {
  return std::make_unique<HttpEndpoint>(target_);
}

Outcome HttpEndpoint::call(std::string_view operation, std::string& body) {
  RetryDelays delays;
  while (true) {
    Outcome outcome = try_call(operation, body);
    // A successful batch may have left all its requests unprocessed.
    if (outcome.succeeded() && operation != "BatchWriteItem") patience()->renew();
    if (!outcome.retryable || !target_->retries || !wait_for_retry(delays, outcome.throttled))
      return outcome;
  }
}

Outcome HttpEndpoint::try_call(std::string_view operation, const std::string& body) {
  const bool is_elsewhere = target_->url.is_aws && is_of_streams(operation);
  if (is_elsewhere && !target_->streams_url) {
    return no_answer(messages::kUnknownStreamsHost(target_->name), false);
  }
  if (is_elsewhere && !streams_) {
    streams_.emplace(*target_->streams_url, target_->certificates, target_->timeouts);
  }
  const EndpointUrl& url = is_elsewhere ? *target_->streams_url : target_->url;
  HttpRequest request{.fields = {{"Content-Type", "application/x-amz-json-1.0"},
                                 {"X-Amz-Target", target_of(operation)}},
                      .body = body,
                      .resends = target_->retries};
  sign(request, url, target_->signer, "dynamodb");
  if (!target_->name_space.empty()) {
    request.fields.push_back({"X-Magneto-Namespace", target_->name_space});
  }
  try {
    HttpAnswer answer =
        (is_elsewhere ? *streams_ : connection_).send(request, [this] { return is_over(); });
    target_->has_answered = true;
    return read_outcome(answer.status, std::move(answer.body));
  } catch (const ConnectionError& error) {
    using Kind = ConnectionError::Kind;
    // An address that never answered is most likely a mistake.
    const bool is_final =
        error.kind() == Kind::kUntrusted || error.kind() == Kind::kUnsendable ||
        (error.kind() == Kind::kUnreachable && !target_->has_answered && !is_over());
    return no_answer(error.what(), !is_final);
  }
}

std::unique_ptr<Endpoint> make_http_endpoint(const EndpointOptions& options,
                                             const Environment& environment) {
  auto target = std::make_shared<HttpTarget>();
  AwsProfile profile;
  if (is_aws_address(options.address)) {
    profile = find_aws_profile(options.profile, environment);
    target->url = find_aws_url(options, profile);
  } else {
    target->url = parse_url(options.address, options.address);
    profile = target->url.is_aws ? find_aws_profile(options.profile, environment)
                                 : find_signer(target->url, environment, options.profile);
  }
  if (target->url.is_aws) target->streams_url = aws_streams_url(target->url);
  target->name = target->url.text();
  complete(options, target->url, profile);
  target->signer = std::move(profile);
  if (target->url.tls) target->certificates = load_certificates(options.ca_file);
  target->timeouts = options.timeouts;
  target->name_space = options.name_space;
  target->retries = options.retries;
  target->patience = std::make_shared<ThrottlePatience>(options.patience);
  return std::make_unique<HttpEndpoint>(std::move(target));
}

}  // namespace magneto::server::client
