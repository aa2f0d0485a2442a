#include "server/client/endpoint/endpoint_url.h"

#include <absl/strings/ascii.h>

#include <algorithm>

namespace magneto::server::client {
namespace {

constexpr std::string_view kPlainPort = "80";
constexpr std::string_view kTlsPort = "443";

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::ranges::all_of(text, [](char c) { return absl::ascii_isdigit(c); }) &&
         std::stoul(std::string(text)) <= 65535 && text != "0";
}

// Whether the text has no character that could end the Host field or another part of the URL.
bool is_host(std::string_view text, bool bracketed) {
  if (text.empty() || text.size() > 255) return false;
  return std::ranges::all_of(text, [&](char c) {
    return absl::ascii_isalnum(c) || c == '-' || c == '.' || c == '_' ||
           (bracketed && (c == ':' || c == '%'));
  });
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Whether a label of the host names DynamoDB. A user's machines and load balancers at AWS have AWS
// names too.
bool names_dynamodb(std::string_view host) {
  while (!host.empty()) {
    const std::string_view label = host.substr(0, host.find('.'));
    if (label == "ddb" || label.starts_with("dynamodb")) return true;
    host.remove_prefix(std::min(host.size(), label.size() + 1));
  }
  return false;
}

// "dynamodb.eu-west-1.amazonaws.com", "dynamodb-fips.us-east-1.amazonaws.com",
// "dynamodb.cn-north-1.amazonaws.com.cn", "dynamodb.eu-west-1.api.aws".
void read_aws_host(EndpointUrl& url) {
  std::string_view host = url.host;
  if (host.ends_with('.')) host.remove_suffix(1);
  const std::size_t dot = host.find('.');
  const std::string_view first = host.substr(0, dot);
  if (dot == std::string_view::npos) return;
  host.remove_prefix(dot + 1);
  url.is_aws = names_dynamodb(url.host) &&
               (host.ends_with(".amazonaws.com") || host.ends_with(".amazonaws.com.cn") ||
                host.ends_with(".api.aws"));
  if (url.is_aws && first.starts_with("dynamodb")) url.region = host.substr(0, host.find('.'));
}

}  // namespace

std::string EndpointUrl::host_field() const {
  const bool is_address = host.find(':') != std::string::npos;
  std::string field = is_address ? "[" + host + "]" : host;
  if (port != (tls ? kTlsPort : kPlainPort)) field += ":" + port;
  return field;
}

bool EndpointUrl::is_loopback() const {
  const bool is_number =
      std::ranges::all_of(host, [](char c) { return c == '.' || absl::ascii_isdigit(c); });
  return host == "localhost" || host == "::1" || (is_number && host.starts_with("127."));
}

std::string EndpointUrl::text() const { return (tls ? "https://" : "http://") + host_field(); }

std::optional<EndpointUrl> parse_endpoint_url(std::string_view text) {
  EndpointUrl url;
  url.tls = take_prefix(text, "https://");
  if (!url.tls && !take_prefix(text, "http://")) return std::nullopt;
  if (text.ends_with('/')) text.remove_suffix(1);
  const bool bracketed = take_prefix(text, "[");
  const std::size_t end = text.find(bracketed ? ']' : ':');
  url.host = text.substr(0, end);
  if (!is_host(url.host, bracketed) || (bracketed && end == std::string_view::npos)) {
    return std::nullopt;
  }
  std::ranges::transform(url.host, url.host.begin(), [](char c) { return absl::ascii_tolower(c); });
  text.remove_prefix(std::min(text.size(), url.host.size() + (bracketed ? 1 : 0)));
  url.port = url.tls ? kTlsPort : kPlainPort;
  if (take_prefix(text, ":")) {
    url.port = text;
    if (!is_port(text)) return std::nullopt;
  } else if (!text.empty()) {
    return std::nullopt;
  }
  read_aws_host(url);
  return url;
}

std::optional<EndpointUrl> aws_streams_url(const EndpointUrl& url) {
  if (!url.host.starts_with("dynamodb.") || url.host.ends_with(".api.aws")) return std::nullopt;
  EndpointUrl streams = url;
  streams.host.insert(0, "streams.");
  return streams;
}

EndpointUrl aws_endpoint_url(std::string_view region) {
  EndpointUrl url;
  url.tls = true;
  url.host = "dynamodb." + std::string(region) + ".amazonaws.com";
  if (region.starts_with("cn-")) url.host += ".cn";
  url.port = kTlsPort;
  url.region = region;
  url.is_aws = true;
  return url;
}

}  // namespace magneto::server::client
