#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/message/http_request.h"

namespace magneto::server::http {

struct AccessOptions {
  std::string host = "localhost";  // the name or address to listen on, as given
  std::string address = {};        // with the port: "127.0.0.1:8000"
  bool on_loopback = true;         // no other machine can reach the address
  // More origins than those of this machine; "*": any.
  std::vector<std::string> origins = {};
  // More names than those of this machine; "*": any. nullopt: any beyond loopback.
  std::optional<std::vector<std::string>> hosts = {};
};

// Which web pages the server serves, and under which names. Any page its user opens can send
// requests to a server on the same machine, and one whose name leads there (DNS rebinding) can read
// the answers too; signatures do not keep it out as long as any will do. So a page must be of this
// machine, http or https on a loopback name with any port, and a server that listens on loopback
// answers to loopback names alone. Thread-safe.
class AccessRules {
 public:
  explicit AccessRules(AccessOptions options);

  // Why the request is not served, a line of text for the client; empty when it is. Applies to
  // every request, before anything else is done with it.
  std::string_view refuse_origin(const HttpRequest& request) const;
  std::string_view refuse_host(const HttpRequest& request) const;

  // Whether Host is one that no page of elsewhere can have, by whatever its name leads to: a name
  // of this machine, an address, or one that the user named. Less than refuse_host() lets pass.
  bool has_certain_host(const HttpRequest& request) const;

  // What Access-Control-Allow-Origin says to the page of a request that is served.
  std::string_view allowed_origin(const HttpRequest& request) const;
  // The address the request came to, in the client's words.
  std::string_view address_for(const HttpRequest& request) const;

 private:
  bool admits_origin(std::string_view origin) const;
  bool admits_host(std::string_view host) const;

  AccessOptions options_;
  std::array<std::string, 2> usual_hosts_;  // what clients of this machine mostly send
  bool any_origin_;
  bool any_host_;
};

// An element of AccessOptions::origins in the form in which browsers send it, without the port that
// its scheme implies; "*" and "null" (pages of files) stay. nullopt when it is no origin.
std::optional<std::string> canonical_origin(std::string_view text);
// An element of AccessOptions::hosts as it stands in Host, an address of IPv6 in brackets; "*"
// stays. nullopt when it is no name, or has a port.
std::optional<std::string> canonical_host(std::string_view text);

}  // namespace magneto::server::http
