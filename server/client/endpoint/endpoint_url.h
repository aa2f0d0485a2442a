#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace magneto::server::client {

// A server address of DynamoDB's protocol.
struct EndpointUrl {
  bool tls = false;
  std::string host;  // in lower case, without the brackets of an IPv6 address
  std::string port;
  std::string region;  // from AWS's host name; empty if it has none
  bool is_aws = false;

  // "https://dynamodb.eu-west-1.amazonaws.com", without the default port of the scheme.
  std::string text() const;
  // Whether the host is a usual name of this machine: localhost, 127.0.0.0/8, ::1.
  bool is_loopback() const;
  // The Host field: the host, and the port unless it is the default of the scheme.
  std::string host_field() const;
};

// Parses "http://localhost:8000", "https://[::1]:8443/". Returns nullopt for another scheme, and if
// there is a user, a path, a query or no host.
std::optional<EndpointUrl> parse_endpoint_url(std::string_view text);

// Returns AWS's address for the streams of the tables at `url`; nullopt if it is not known.
std::optional<EndpointUrl> aws_streams_url(const EndpointUrl& url);

// Returns AWS's own endpoint of a region.
EndpointUrl aws_endpoint_url(std::string_view region);

}  // namespace magneto::server::client
