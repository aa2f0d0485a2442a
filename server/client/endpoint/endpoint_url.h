#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace magneto::server::client {

// An address of DynamoDB's protocol.
struct EndpointUrl {
  bool tls = false;
  std::string host;  // in lower case, without the brackets of an IPv6 address
  std::string port;
  std::string region;  // what AWS's host name tells; empty: nothing
  bool is_aws = false;

  // "https://dynamodb.eu-west-1.amazonaws.com", without the port that the scheme has.
  std::string text() const;
  // This machine by its usual names: localhost, 127.0.0.0/8, ::1.
  bool is_loopback() const;
  // The Host field: the host, with its port unless the scheme has it.
  std::string host_field() const;
};

// "http://localhost:8000", "https://[::1]:8443/". nullopt for another scheme, and where there is a
// user, a path, a query or no host.
std::optional<EndpointUrl> parse_endpoint_url(std::string_view text);

// Where AWS has the streams of the tables at `url`. nullopt: not known of this host.
std::optional<EndpointUrl> aws_streams_url(const EndpointUrl& url);

// AWS's own of a region.
EndpointUrl aws_endpoint_url(std::string_view region);

}  // namespace magneto::server::client
