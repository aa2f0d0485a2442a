#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/client/endpoint/aws_profile.h"
#include "server/client/endpoint/endpoint.h"
#include "server/client/endpoint/endpoint_url.h"
#include "server/client/endpoint/http_connection.h"

namespace magneto::server::client {

// The options of a command line about an endpoint.
struct EndpointOptions {
  std::string address;  // as for parse_endpoint_url, or "aws", "aws:eu-west-1"
  std::string profile;  // of AWS's files; empty: as in the environment
  std::string region;   // empty: from the address, the environment or the profile
  std::string ca_file;  // further certificates to trust; empty: none
  ClientTimeouts timeouts{};
  std::chrono::milliseconds patience = ThrottlePatience::kLongest;  // with throttling
  std::string name_space{};  // of Magneto, for its header; empty: none
  bool retries = true;       // retryable errors are retried
};

// The destination and the signer of calls. The threads of a command share it.
struct HttpTarget {
  EndpointUrl url;
  std::optional<EndpointUrl> streams_url;  // none: the same as for tables
  std::string name;
  AwsProfile signer;
  std::shared_ptr<TrustedCertificates> certificates;
  ClientTimeouts timeouts;
  std::shared_ptr<ThrottlePatience> patience;
  std::string name_space;
  bool retries = true;
  mutable std::atomic<bool> has_answered{false};  // whether it ever did
};

// A server that speaks DynamoDB's protocol. Requests are signed with Signature Version 4. Retries
// follow RetryDelays. But while the server has never answered, an unreachable one ends the call.
class HttpEndpoint : public Endpoint {
 public:
  explicit HttpEndpoint(std::shared_ptr<const HttpTarget> target);

  Outcome call(std::string_view operation, std::string& body) override;
  std::unique_ptr<Endpoint> another() const override;
  const std::string& name() const override { return target_->name; }

 private:
  Outcome try_call(std::string_view operation, const std::string& body);

  const std::shared_ptr<const HttpTarget> target_;
  HttpConnection connection_;
  std::optional<HttpConnection> streams_;  // AWS has them on another host
};

// Finds keys, region and certificates; sends nothing yet. AWS's endpoints need keys, a region and
// TLS; others use find_signer(). Throws std::runtime_error with a sentence for the user.
std::unique_ptr<Endpoint> make_http_endpoint(const EndpointOptions& options,
                                             const Environment& environment);

}  // namespace magneto::server::client
