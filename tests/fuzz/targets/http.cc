// A byte with settings, and then the bytes of a client on one connection. The lower four bits are
// the size of the pieces in which the bytes arrive; 0: all at once. With bit 4 ('1' but not 'A')
// credentials are optional. With only bit 5 ('a') signatures are verified, on 1 January 2026.
#include <algorithm>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>
#include <string>
#include <vector>

#include "server/http/auth/credential_file.h"
#include "server/http/auth/signature_verifier.h"
#include "server/http/message/http_request.h"
#include "server/http/message/http_response.h"
#include "server/http/request_reader.h"
#include "server/http/request_router.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/sample_database.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using server::http::Field;
using server::http::HttpRequest;

// The requests of one connection, read as the session reads them.
class Connection {
 public:
  explicit Connection(server::http::AuthMode auth)
      : keeps_fields_(auth == server::http::AuthMode::kVerify) {}

  void receive(std::string_view bytes) {
    if (failed_) return;
    buffer_.commit(asio::buffer_copy(buffer_.prepare(bytes.size()),
                                     asio::const_buffer(bytes.data(), bytes.size())));
    while (!failed_ && parse_one()) {
    }
  }

  // Whole requests, and whether what followed them is malformed.
  std::vector<HttpRequest>& requests() { return requests_; }
  bool failed() const { return failed_; }

 private:
  // True when there may be another request in the buffer.
  bool parse_one() {
    if (!reader_) {
      server::http::RequestReader::skip_empty_lines(buffer_);
      if (buffer_.size() == 0) return false;
      request_.clear();
      reader_.emplace(request_, keeps_fields_);
    }
    const auto progress = reader_->take(buffer_);
    failed_ = progress == server::http::RequestReader::Progress::kRefused;
    if (progress != server::http::RequestReader::Progress::kWhole) return false;
    requests_.push_back(request_);
    reader_.reset();
    return true;
  }

  const bool keeps_fields_;
  boost::beast::flat_buffer buffer_;
  HttpRequest request_;
  std::optional<server::http::RequestReader> reader_;
  std::vector<HttpRequest> requests_;
  bool failed_ = false;
};

void require_same(const HttpRequest& a, const HttpRequest& b) {
  require(a.method == b.method && a.http11 == b.http11 && a.keep_alive == b.keep_alive,
          "pieces give the same request line");
  for (std::size_t i = 0; i < server::http::kFieldCount; ++i) {
    const auto field = static_cast<Field>(i);
    require(a.has(field) == b.has(field), "pieces give the same fields");
    require_equal(a.get(field), b.get(field), "pieces give the same fields");
  }
  require_equal(a.body, b.body, "pieces give the same body");
  const std::vector<server::client::HeaderField> of_a = a.kept_fields();
  const std::vector<server::client::HeaderField> of_b = b.kept_fields();
  require(of_a.size() == of_b.size(), "pieces give as many kept fields");
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    require_equal(of_a[i].name, of_b[i].name, "pieces give the same names");
    require_equal(of_a[i].value, of_b[i].value, "pieces give the same values");
  }
}

// Holds the bytes of an answer against what HTTP says of one.
void check_answer(const HttpRequest& request, const server::http::HttpResponse& response,
                  std::string_view head) {
  const bool is_head = request.method == server::http::Method::kHead;
  std::string bytes(head);
  if (!is_head) bytes += response.body;
  http::response_parser<http::string_body> parser;
  parser.eager(true);
  parser.body_limit(boost::none);
  parser.header_limit(1 << 20);
  parser.skip(is_head);
  boost::beast::error_code error;
  const std::size_t size = parser.put(asio::const_buffer(bytes.data(), bytes.size()), error);
  require(!error && parser.is_done() && size == bytes.size(), "an answer is one HTTP response",
          bytes);
  require(parser.get().result_int() == static_cast<unsigned>(response.status),
          "an answer has its status", bytes);
  if (!is_head) require_equal(parser.get().body(), response.body, "an answer has its body");
}

const server::http::SignatureVerifier& sample_verifier() {
  static const auto credentials = server::http::parse_credentials(
      "[a]\naws_access_key_id = key\naws_secret_access_key = secret\n", "keys");
  static const server::http::SignatureVerifier verifier(
      [] { return credentials; },
      [] { return std::chrono::sys_days(std::chrono::year(2026) / 1 / 1); });
  return verifier;
}

server::http::AuthMode read_mode(std::uint8_t control) {
  if ((control & 0x10) != 0) return server::http::AuthMode::kOff;
  return (control & 0x20) != 0 ? server::http::AuthMode::kVerify : server::http::AuthMode::kShape;
}

void answer(SampleDatabase& sample, server::http::AuthMode auth, HttpRequest& request) {
  server::http::WorkMemory memory(std::size_t{1} << 30);
  const server::http::RequestRouter router(sample.service(), memory, auth,
                                           server::http::AccessRules({}), api::Profile::kAws,
                                           &sample_verifier());
  const server::http::Route route = router.find_route(request);
  // The target "service" tests operations that change tables.
  if (route.operation != nullptr && route.operation->writes) return;
  server::http::HttpResponse response;
  const std::string request_id(std::tuple_size_v<server::http::RequestId>, '0');
  storage::Effort effort;
  require(router.answer(route, request_id, request, response, effort),
          "no request is too much for a thread without limit", response.body);
  // A coded body that cannot be read is answered like a fault, as on AWS.
  require(response.status != 500 || request.has(Field::kContentEncoding),
          "no request makes the server fail", response.body);
  std::string head;
  format_head(request, response, request_id, "Thu, 01 Jan 1970 00:00:00 GMT", head);
  check_answer(request, response, head);
}

}  // namespace

void fuzz_http(std::string_view input) {
  if (input.empty()) return;
  static SampleDatabase sample;
  const auto control = static_cast<std::uint8_t>(input.front());
  const server::http::AuthMode auth = read_mode(control);
  input.remove_prefix(1);
  Connection whole(auth);
  whole.receive(input);
  if (const std::size_t piece = control & 0x0F; piece != 0) {
    Connection pieces(auth);
    for (std::size_t at = 0; at < input.size(); at += piece) {
      pieces.receive(input.substr(at, piece));
    }
    // A malformed head may be refused only once its end is there.
    require(!pieces.failed() || whole.failed(), "pieces fail only with the whole");
    require(pieces.requests().size() == whole.requests().size(), "pieces give as many requests");
    for (std::size_t i = 0; i < whole.requests().size(); ++i) {
      require_same(pieces.requests()[i], whole.requests()[i]);
    }
  }
  for (HttpRequest& request : whole.requests()) answer(sample, auth, request);
}

}  // namespace magneto::fuzz
