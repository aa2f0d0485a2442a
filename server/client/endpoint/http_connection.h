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

// The longest answer that is read. Operations of DynamoDB answer with pages of 1 MB of data.
inline constexpr std::size_t kMaxAnswerBytes = 256 << 20;

struct ClientTimeouts {
  // For the connection to one address, and again for the TLS handshake.
  std::chrono::milliseconds connect{10'000};
  std::chrono::milliseconds exchange{60'000};  // of one request, until the end of its answer
};

struct HttpRequest {
  std::string_view method = "POST";
  std::string_view target = "/";  // a path with its query, escaped
  std::vector<OwnedField> fields = {};
  std::string_view body = {};
  // If a kept connection turns out to be closed, the request is sent again on a new one, once. If
  // false, this happens only before anything was sent.
  bool resends = true;
};

struct HttpAnswer {
  int status = 0;
  std::string body;
  std::vector<OwnedField> fields = {};

  // The value of the first field with that name, in any case; empty if there is none.
  std::string_view field(std::string_view name) const;
};

// Takes the body of an answer while it arrives, for a caller that does not keep all of it.
class AnswerBody {
 public:
  AnswerBody() = default;
  virtual ~AnswerBody() = default;
  AnswerBody(const AnswerBody&) = delete;
  AnswerBody& operator=(const AnswerBody&) = delete;

  // A body begins. Earlier bytes belong to an answer that was lost. `size`: 0 if it is not known.
  virtual void begin(std::uint64_t size) = 0;
  virtual void take(std::string_view bytes) = 0;
};

// A client's connection. It is opened for the first request and kept as long as the server keeps
// it. For one thread at a time; its calls block.
class HttpConnection {
 public:
  // `certificates` is only for an address with TLS. A longer answer than `longest_answer` is an
  // error.
  HttpConnection(EndpointUrl url, std::shared_ptr<TrustedCertificates> certificates,
                 ClientTimeouts timeouts, std::size_t longest_answer = kMaxAnswerBytes);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  // Sends a request, with Content-Length added to its fields, and returns the answer. Skips interim
  // answers (RFC 9110, 15.2), at most 64. Ends some tenths of a second after `is_over` returns
  // true.
  //
  // Throws ConnectionError; the next call then opens a new connection. An answer that does not
  // match its X-Amz-Crc32 is such an error. So is a field of the request with a character other
  // than printable ASCII: it could end the field, or the request.
  HttpAnswer send(const HttpRequest& request, const std::function<bool()>& is_over);
  // The same, but passes the body to `into`. The body of the returned answer is empty.
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
