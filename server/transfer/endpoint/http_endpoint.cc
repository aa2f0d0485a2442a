#include "server/transfer/endpoint/http_endpoint.h"

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "server/auth/signature.h"
#include "server/transfer/endpoint/messages.h"
#include "server/transfer/endpoint/retry_delays.h"

namespace magneto::server {
namespace {

constexpr std::string_view kAws = "aws";
constexpr std::string_view kInventedKey = "magneto";
constexpr std::string_view kInventedRegion = "us-east-1";
constexpr std::string_view kTables = "DynamoDB_20120810.";
constexpr std::string_view kStreams = "DynamoDBStreams_20120810.";
constexpr std::string_view kStreamOperations[] = {"ListStreams", "DescribeStream",
                                                  "GetShardIterator", "GetRecords"};

std::string target_of(std::string_view operation) {
  std::string target(kTables);
  for (const std::string_view name : kStreamOperations) {
    if (operation == name) target = kStreams;
  }
  return target.append(operation);
}

std::string first_of(const std::string& a, const std::string& b, const std::string& c) {
  return !a.empty() ? a : !b.empty() ? b : c;
}

EndpointUrl find_url(const std::string& address, const EndpointOptions& options,
                     const AwsProfile& profile) {
  if (address != kAws && !address.starts_with("aws:")) {
    auto url = parse_endpoint_url(address);
    if (!url) throw std::runtime_error(messages::no_endpoint_url(address));
    return *url;
  }
  const std::string named = address.substr(std::min(address.size(), kAws.size() + 1));
  const std::string region = first_of(named, options.region, profile.region);
  if (region.empty()) throw std::runtime_error(messages::kNoRegion);
  auto url = parse_endpoint_url(aws_endpoint_url(region).text());
  if (!url) throw std::runtime_error(messages::no_endpoint_url(address));
  return *url;
}

void complete(const EndpointOptions& options, const EndpointUrl& url, AwsProfile& signer) {
  signer.region = first_of(options.region, url.region, signer.region);
  if (url.is_aws) {
    if (signer.access_key.empty()) throw std::runtime_error(messages::no_keys(url.text()));
    if (signer.region.empty()) throw std::runtime_error(messages::kNoRegion);
    return;
  }
  if (signer.access_key.empty()) signer.access_key = signer.secret_key = kInventedKey;
  if (signer.region.empty()) signer.region = kInventedRegion;
}

}  // namespace

HttpEndpoint::HttpEndpoint(std::shared_ptr<const HttpTarget> target)
    : target_(std::move(target)),
      connection_(target_->url, target_->certificates, target_->timeouts) {}

std::unique_ptr<Endpoint> HttpEndpoint::another() const {
  return std::make_unique<HttpEndpoint>(target_);
}

Outcome HttpEndpoint::call(std::string_view operation, std::string& body) {
  RetryDelays delays;
  while (true) {
    Outcome outcome = try_call(operation, body);
    if (!outcome.retryable) return outcome;
    const auto delay = delays.next();
    if (!delay) return outcome;
    std::this_thread::sleep_for(*delay);
  }
}

Outcome HttpEndpoint::try_call(std::string_view operation, const std::string& body) {
  const std::string host = target_->url.host_field();
  std::vector<OwnedField> fields = {{"Host", host},
                                    {"Content-Type", "application/x-amz-json-1.0"},
                                    {"X-Amz-Target", target_of(operation)}};
  std::vector<HeaderField> views;
  for (const OwnedField& field : fields) views.push_back({field.name, field.value});
  const AwsProfile& signer = target_->signer;
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const std::vector<OwnedField> added =
      sign_request({.uri = "/", .fields = views, .body_hash{}}, body,
                   {signer.access_key, signer.secret_key, signer.session_token},
                   {.date{}, .region = signer.region}, now);
  fields.insert(fields.end(), added.begin(), added.end());
  fields.push_back({"User-Agent", "magneto/" MAGNETO_VERSION});
  try {
    HttpAnswer answer = connection_.post(fields, body);
    return read_outcome(answer.status, std::move(answer.body));
  } catch (const ConnectionError& error) {
    return no_answer(error.what(), error.kind() != ConnectionError::Kind::kUntrusted);
  }
}

std::unique_ptr<Endpoint> make_http_endpoint(const EndpointOptions& options,
                                             const Environment& environment) {
  AwsProfile profile = find_aws_profile(options.profile, environment);
  auto target = std::make_shared<HttpTarget>();
  target->url = find_url(options.address, options, profile);
  target->name = target->url.text();
  complete(options, target->url, profile);
  target->signer = std::move(profile);
  if (target->url.tls) target->certificates = load_certificates(options.ca_file);
  target->timeouts = options.timeouts;
  return std::make_unique<HttpEndpoint>(std::move(target));
}

}  // namespace magneto::server
