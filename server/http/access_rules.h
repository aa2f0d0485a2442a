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
  // Allowed origins besides those of this machine; "*": any.
  std::vector<std::string> origins = {};
  // Allowed names besides those of this machine; "*": any. nullopt: any name if the server listens
  // beyond loopback.
  std::optional<std::vector<std::string>> hosts = {};
};

// Decides which web pages may use the server, and by which host names clients may call it. Any web
// page that a user opens can send requests to a server on the same machine. A page whose host name
// resolves to this machine (DNS rebinding) can read the answers too. Signatures do not keep such
// pages out if the server accepts any signature. So a page must come from this machine: http or
// https on a loopback name, with any port. A server that listens on loopback answers only requests
// for loopback names. Thread-safe.
class AccessRules {
 public:
  explicit AccessRules(AccessOptions options);

  // The reason for which the request is refused, one line of text for the client; empty if it is
  // served. Applies to every request, before any other processing.
  std::string_view refuse_origin(const HttpRequest& request) const;
  std::string_view refuse_host(const HttpRequest& request) const;

  // Whether Host is a name that no foreign page can have, even if its own name resolves to this
  // machine: a name of this machine, an address, or a name that the user configured. Stricter than
  // refuse_host().
  bool has_certain_host(const HttpRequest& request) const;

  // The value of Access-Control-Allow-Origin in the answer to a served request.
  std::string_view allowed_origin(const HttpRequest& request) const;
  // The address that the client used for the server, as the client wrote it.
  std::string_view address_for(const HttpRequest& request) const;

 private:
  bool admits_origin(std::string_view origin) const;
  bool admits_host(std::string_view host) const;

  AccessOptions options_;
  std::array<std::string, 2> usual_hosts_;  // the hosts that most clients on this machine send
  bool any_origin_;
  bool any_host_;
};

// An element of AccessOptions::origins in the form in which browsers send it, without a port that
// its scheme implies. "*" and "null" (pages from files) stay unchanged. nullopt if the text is not
// an origin.
std::optional<std::string> canonical_origin(std::string_view text);
// An element of AccessOptions::hosts in the form in which it appears in Host; an IPv6 address is in
// brackets. "*" stays unchanged. nullopt if the text is not a name, or has a port.
std::optional<std::string> canonical_host(std::string_view text);

}  // namespace magneto::server::http
