#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/client/endpoint/endpoint_url.h"
#include "server/client/endpoint/outgoing_stream.h"
#include "server/client/signing/signature.h"

namespace magneto::server::client {

// The longest answer that is read of DynamoDB's operations; they are pages of 1 MB of data.
inline constexpr std::size_t kMaxAnswerBytes = 256 << 20;

struct ClientTimeouts {
  // Each of: the connection to one address, TLS's handshake.
  std::chrono::milliseconds connect{10'000};
  std::chrono::milliseconds exchange{60'000};  // of one request, up to the end of its answer
};

struct HttpRequest {
  std::string_view method = "POST";
  std::string_view target = "/";  // a path with its query, escaped
  std::vector<OwnedField> fields = {};
  std::string_view body = {};
  // A kept connection that turns out to be closed is opened anew, once; without this only before
  // anything is sent.
  bool resends = true;
};

struct HttpAnswer {
  int status = 0;
  std::string body;
  std::vector<OwnedField> fields = {};

  // Of the first of that name, in whatever case; empty: there is none.
  std::string_view field(std::string_view name) const;
};

// Takes the body of an answer while it comes, for a caller that keeps less than all of it.
class AnswerBody {
 public:
  AnswerBody() = default;
  virtual ~AnswerBody() = default;
  AnswerBody(const AnswerBody&) = delete;
  AnswerBody& operator=(const AnswerBody&) = delete;

  // A body begins. What came before it belongs to an answer that was lost. `size`: 0 where it is not
  // known.
  virtual void begin(std::uint64_t size) = 0;
  virtual void take(std::string_view bytes) = 0;
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

  // Sends a request; Content-Length is added to the fields. An answer with another body than its X-Amz-Crc32 says is none. Throws ConnectionError; then the next call begins a new
  // connection.
  // Interim answers (RFC 9110, 15.2) are passed over, 64 at most before the final one.
  // What waits ends some tenths of a second after `is_over` says so.
  // A field whose value has other bytes than ASCII's that can be printed is refused: it could end the field, or the request.
  HttpAnswer send(const HttpRequest& request, const std::function<bool()>& is_over);
  // The same; the answer's body goes to `into`, and is empty in what is returned.
  HttpAnswer send(const HttpRequest& request, const std::function<bool()>& is_over,
                  AnswerBody& into);

 private:
  HttpAnswer try_exchange(std::string_view head, std::string_view body, AnswerBody& into,
                          Patience& patience);

  const EndpointUrl url_;
  const std::shared_ptr<TrustedCertificates> certificates_;
  const ClientTimeouts timeouts_;
  const std::size_t longest_answer_;
  std::unique_ptr<OutgoingStream> stream_;  // nullptr: not connected
};

}  // namespace magneto::server::client
