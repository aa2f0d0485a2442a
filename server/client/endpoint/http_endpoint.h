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

// What a command line says of an endpoint.
struct EndpointOptions {
  std::string address;  // as parse_endpoint_url, or "aws", "aws:eu-west-1"
  std::string profile;  // of AWS's files; empty: as the environment says
  std::string region;   // empty: that of the address, of the environment, of the profile
  std::string ca_file;  // further certificates to trust; empty: none
  ClientTimeouts timeouts{};
  std::chrono::milliseconds patience = ThrottlePatience::kLongest;  // with throttling
  std::string name_space{};  // of Magneto's, which its header names; empty: none
  bool retries = true;       // what is retryable is tried again
};

// Where calls go and who signs them; the threads of a command share it.
struct HttpTarget {
  EndpointUrl url;
  std::optional<EndpointUrl> streams_url;  // none: that of the tables
  std::string name;
  AwsProfile signer;
  std::shared_ptr<TrustedCertificates> certificates;
  ClientTimeouts timeouts;
  std::shared_ptr<ThrottlePatience> patience;
  std::string name_space;
  bool retries = true;
  mutable std::atomic<bool> has_answered{false};  // ever
};

// Any server that speaks DynamoDB's protocol. Requests are signed by Signature Version 4. Attempts
// follow each other as RetryDelays says. While no server was ever reached there, there is but one.
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
  std::optional<HttpConnection> streams_;  // AWS has them at another host
};

// Finds keys, region and certificates; nothing is sent yet. AWS's endpoints need keys, a region and
// TLS; others get find_signer(). Throws std::runtime_error, a sentence for the user.
std::unique_ptr<Endpoint> make_http_endpoint(const EndpointOptions& options,
                                             const Environment& environment);

}  // namespace magneto::server::client
