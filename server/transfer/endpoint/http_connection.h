#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "server/auth/signature.h"
#include "server/transfer/endpoint/endpoint_url.h"

namespace magneto::server {

// The longest answer that is read of DynamoDB's operations; they are pages of 1 MB of data.
inline constexpr std::size_t kMaxAnswerBytes = 256 << 20;

// Whom a client of TLS trusts: the system's certificates, and those of a file. Shared by threads.
class TrustedCertificates;
// `ca_file` is PEM; empty: none but the system's. Throws std::runtime_error, a sentence.
std::shared_ptr<TrustedCertificates> load_certificates(const std::string& ca_file);

struct ClientTimeouts {
  // Each of: the connection to one address, TLS's handshake. How long looking up the name takes is
  // for the system to say (resolv.conf).
  std::chrono::milliseconds connect{10'000};
  std::chrono::milliseconds exchange{60'000};  // of one request, up to the end of its answer
};

// Why there is no answer: a sentence.
class ConnectionError : public std::runtime_error {
 public:
  enum class Kind {
    kUnreachable,  // nothing was sent
    kLost,         // the request may have been carried out
    kTimedOut,     // the same; the endpoint said nothing for long
    kUntrusted,    // the certificate is not that of the host; trying again does not help
    kUnsendable,   // a field has bytes that would not be a part of it; nothing was sent
  };
  ConnectionError(Kind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

struct HttpAnswer {
  int status = 0;
  std::string body;
  std::vector<OwnedField> fields = {};

  // Of the first of that name, in whatever case; empty: there is none.
  std::string_view field(std::string_view name) const;
};

// A client's connection, opened when it is first needed and kept as long as the server does. For
// one thread at a time, whose calls block.
class HttpConnection {
 public:
  // `certificates` for an address with TLS alone. An answer that is longer is none.
  HttpConnection(EndpointUrl url, std::shared_ptr<TrustedCertificates> certificates,
                 ClientTimeouts timeouts, std::size_t longest_answer = kMaxAnswerBytes);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  // Sends a request; Content-Length is added to the fields. `target` is a path with its query, escaped. A kept connection that turns out to be
  // closed is opened anew, once; without `resends` only before anything is sent. An answer with another body than its X-Amz-Crc32 says is none. Throws ConnectionError; then the next call begins a new
  // connection.
  // What waits ends some tenths of a second after `is_over` says so.
  // A field whose value has other bytes than ASCII's that can be printed is refused: it could end the field, or the request.
  HttpAnswer send(std::string_view method, std::string_view target,
                  std::span<const OwnedField> fields, std::string_view body,
                  const std::function<bool()>& is_over, bool resends = true);
  // The same by POST to "/".
  HttpAnswer post(std::span<const OwnedField> fields, std::string_view body,
                  const std::function<bool()>& is_over, bool resends = true) {
    return send("POST", "/", fields, body, is_over, resends);
  }

 private:
  struct State;

  const EndpointUrl url_;
  const std::shared_ptr<TrustedCertificates> certificates_;
  const ClientTimeouts timeouts_;
  const std::size_t longest_answer_;
  std::unique_ptr<State> state_;  // nullptr: not connected
};

}  // namespace magneto::server
